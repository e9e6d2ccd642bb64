/** The text of every fenced code block of a language, in document order. */
export function fenced(markdown: string, language: string): string[] {
  const blocks = markdown.matchAll(/^```(\w*)\n(.*?)^```$/gms);
  return [...blocks].filter((block) => block[1] === language).map((block) => block[2] ?? "");
}

/** The fenced code blocks of a language below the heading `## <heading>`. Throws if the heading is missing. */
export function fencedUnder(markdown: string, heading: string, language: string): string[] {
  const [, section] = markdown.split(`\n## ${heading}\n`);
  if (section === undefined) throw new Error(`no heading "${heading}"`);
  return fenced(section.split(/^## /m)[0] ?? "", language);
}
