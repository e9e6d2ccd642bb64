/**
 * Folds a title or a filter, so that a comparison ignores case (contract, section 4, endpoint 9): `ÉCOLE` matches
 * `École`, `STRASSE` matches `Straße`. A folded U+0000 in a filter becomes a final sigma, which no folded title
 * contains: PostgreSQL does not store U+0000, and no title has one.
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
