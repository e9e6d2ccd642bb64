/** The same text in memory of its own. In V8, a part that was cut out of a text keeps the whole text in memory. */
export function copied(text: string): string {
  return Buffer.from(text).toString();
}
