import { readFileSync, writeFileSync } from "node:fs";

const FILE = new URL("../../docs/reliability.md", import.meta.url);

/**
 * Writes figures into `docs/reliability.md`, between the two comments that name their part. Throws where they are
 * missing: a figure that nobody reads is none.
 */
export function writeFigures(part: string, figures: Readonly<Record<string, string | number>>): void {
  const text = readFileSync(FILE, "utf8");
  const [begin, end] = [`<!-- ${part} -->`, `<!-- /${part} -->`];
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from < 0 || to < from) throw new Error(`docs/reliability.md has no place for ${part}`);
  const rows = Object.entries({ ...figures, "measured on": new Date().toISOString().slice(0, 10) });
  const lines = rows.map(([name, value]) => `| ${name} | ${spelt(value)} |`);
  const table = ["", "| what | figure |", "|---|---|", ...lines, ""].join("\n");
  writeFileSync(FILE, text.slice(0, from + begin.length) + table + text.slice(to));
}

function spelt(value: string | number): string {
  return typeof value === "number" ? value.toLocaleString("en") : value;
}

/** Statuses and how often each came, as one text. */
export function tallied(tally: ReadonlyMap<number, number>): string {
  const sorted = [...tally].sort(([a], [b]) => a - b);
  return sorted.map(([status, count]) => `${status}: ${count.toLocaleString("en")}`).join(", ");
}
