/**
 * Folds a title or a filter for comparison without regard to case (contract, section 4, endpoint 9): NFKC, lower
 * case, upper case, lower case, final sigma as sigma, NFKC again. `ÉCOLE` finds `École`, `STRASSE` finds `Straße`.
 */
export function fold(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll("ς", "σ")
    .normalize("NFKC");
}
