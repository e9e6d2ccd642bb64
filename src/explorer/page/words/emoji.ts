/** A space's emoji. Some directories write its code points in hexadecimal ("1f4d8"), which this converts. */
export function emoji(text: string): string {
  if (!/^[0-9a-f]{4,6}(?:-[0-9a-f]{4,6})*$/iu.test(text)) return text;
  const points = text.split("-").map((part) => Number.parseInt(part, 16));
  return points.every((point) => point <= 0x10ffff) ? String.fromCodePoint(...points) : text;
}
