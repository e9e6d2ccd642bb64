/**
 * The rows of the first Markdown table below the heading `## <heading>`, as cells, without the column names. Throws if
 * the heading or the table is missing.
 */
export function tableUnder(markdown: string, heading: string): string[][] {
  const lines = markdown.split("\n");
  const start = lines.indexOf(`## ${heading}`);
  if (start === -1) throw new Error(`no heading "${heading}"`);
  const first = lines.findIndex((line, index) => index > start && line.startsWith("|"));
  const next = lines.findIndex((line, index) => index > start && line.startsWith("## "));
  if (first === -1 || (next !== -1 && first > next)) throw new Error(`no table below "${heading}"`);
  return rowsFrom(lines, first);
}

/** The rows of the table whose first column names are `head`. Throws if there is none. */
export function tableHeaded(markdown: string, ...head: string[]): string[][] {
  const lines = markdown.split("\n");
  const first = lines.findIndex((line) => line.startsWith(`| ${head.join(" | ")} |`));
  if (first === -1) throw new Error(`no table headed ${head.join(", ")}`);
  return rowsFrom(lines, first);
}

/** The id in backticks in a cell. Throws unless the cell has exactly one. */
export function idIn(cell: string | undefined): string {
  const ids = [...(cell ?? "").matchAll(/`([^`]+)`/g)].map((match) => match[1]);
  if (ids.length !== 1 || ids[0] === undefined) throw new Error(`expected one id in "${cell}"`);
  return ids[0];
}

function rowsFrom(lines: string[], head: number): string[][] {
  const rows = lines.slice(head + 2);
  const end = rows.findIndex((line) => !line.startsWith("|"));
  return rows.slice(0, end === -1 ? rows.length : end).map((row) =>
    row
      .split("|")
      .slice(1, -1)
      .map((cell) => cell.trim()),
  );
}
