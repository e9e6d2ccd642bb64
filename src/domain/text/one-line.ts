/** Puts a text on one line of a terminal: control characters, such as those that move the cursor, become spaces. */
export function oneLine(text: string): string {
  return text.replaceAll(/[\p{Cc}\u2028\u2029]+/gu, " ");
}
