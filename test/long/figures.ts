import { execFileSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, totalmem } from "node:os";

const FILE = new URL("../../docs/reliability.md", import.meta.url);

/**
 * Writes figures into `docs/reliability.md`, between the two HTML comments of their part, with date, commit and
 * machine. Throws if the comments are missing.
 */
export function writeFigures(part: string, figures: Readonly<Record<string, string | number>>): void {
  const text = readFileSync(FILE, "utf8");
  const [begin, end] = [`<!-- ${part} -->`, `<!-- /${part} -->`];
  const from = text.indexOf(begin);
  const to = text.indexOf(end);
  if (from < 0 || to < from) throw new Error(`docs/reliability.md has no place for ${part}`);
  const rows = Object.entries({ ...figures, measured: measured() });
  const lines = rows.map(([name, value]) => `| ${name} | ${spelt(value)} |`);
  const table = ["", "| what | figure |", "|---|---|", ...lines, ""].join("\n");
  writeFileSync(FILE, text.slice(0, from + begin.length) + table + text.slice(to));
}

/** The date, commit and machine. */
function measured(): string {
  const git = (...args: string[]) => execFileSync("git", args, { cwd: new URL(".", FILE), encoding: "utf8" });
  const day = new Date().toISOString().slice(0, 10);
  const changed = git("status", "--porcelain", "--", "../src", "../test") === "" ? "" : " with changes";
  const memory = Math.round(totalmem() / 2 ** 30);
  const machine = `${availableParallelism()} cores, ${memory} GiB, ${process.platform} ${process.arch}`;
  return `${day}, commit ${git("rev-parse", "--short", "HEAD").trim()}${changed}, ${machine}, Node ${process.versions.node}`;
}

function spelt(value: string | number): string {
  return typeof value === "number" ? value.toLocaleString("en") : value;
}

/** The counts by status, as one text. */
export function byStatus(counts: ReadonlyMap<number, number>): string {
  const sorted = [...counts].sort(([a], [b]) => a - b);
  return sorted.map(([status, count]) => `${status}: ${count.toLocaleString("en")}`).join(", ");
}
