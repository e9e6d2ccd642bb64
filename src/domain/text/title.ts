/** A text in Unicode form NFC. Texts without characters above U+02FF are in it, and are not normalized: that is slow. */
export function nfc(text: string): string {
  return /[\u0300-\uffff]/.test(text) ? text.normalize("NFC") : text;
}

/** Whether a person sees the same text: the spellings of an accent, `é` and `e` with U+0301, are equal in NFC. */
export function looksSame(one: string, other: string): boolean {
  return one === other || nfc(one) === nfc(other);
}

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
