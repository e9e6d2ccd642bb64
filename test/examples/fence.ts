/** The text of every fenced code block of this language, in the order of the document, without the fences. */
export function fenced(markdown: string, language: string): string[] {
  const blocks = markdown.matchAll(/^```(\w*)\n(.*?)^```$/gms);
  return [...blocks].filter((block) => block[1] === language).map((block) => block[2] ?? "");
}
