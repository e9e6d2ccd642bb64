/**
 * Folds a title or a filter for case-insensitive comparison (contract, section 4, endpoint 9): NFKC, lower case,
 * upper case, lower case, final sigma as sigma, NFKC again. `ÉCOLE` matches `École`, `STRASSE` matches `Straße`.
 * Titles cannot contain U+0000, which PostgreSQL does not store, so a folded U+0000 in a filter becomes a final
 * sigma, which no folded title contains.
 */
export function fold(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll("ς", "σ")
    .normalize("NFKC")
    .replaceAll("\0", "ς");
}
