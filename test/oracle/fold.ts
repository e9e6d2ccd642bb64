/** Folds a title or a title filter as endpoint 9 compares it (docs/api.md). */
export function fold(text: string): string {
  return text
    .normalize("NFKC")
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replaceAll("ς", "σ")
    .normalize("NFKC");
}
