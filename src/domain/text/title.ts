/**
 * Folds a title or a filter for comparison without regard to case (contract, section 4, endpoint 9): NFKC, lower
 * case, upper case, lower case, final sigma as sigma, NFKC again. `ÉCOLE` finds `École`, `STRASSE` finds `Straße`.
 * No title holds U+0000, and none when folded a final sigma: so the one stands for the other, where no store minds it.
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
