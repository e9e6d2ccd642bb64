import { execFileSync } from "node:child_process";
import { statfsSync } from "node:fs";
import { availableParallelism, cpus, loadavg, release, totalmem, type as system } from "node:os";
import { pinned } from "../server/cores.ts";
import type { Bench } from "./bench.ts";
import { type Section, judged, markdown, missedBy } from "./section.ts";

/** If the load average at the start is above this, something else was running. */
const QUIET = 0.5;

export interface Circumstances {
  readonly command: string;
  /** The load average of the minute before the run. */
  readonly load: number;
  readonly minutes: number;
  /** The goals that ended with an error, with their errors. */
  readonly failures: readonly string[];
}

/** The load average of the last minute. */
export const load = (): number => loadavg()[0] ?? 0;

/** The `statfs` type of a tmpfs. */
const TMPFS = 0x01021994;

function inMemory(folder: string): boolean {
  return statfsSync(folder).type === TMPFS;
}

/** The whole document, with the figures and results of the run. */
export function documentOf(bench: Bench, sections: readonly Section[], run: Circumstances): string {
  const { worlds, largest, timing } = bench;
  const verdicts = sections.flatMap((section) => section.verdicts.map((verdict) => ({ section, verdict })));
  const counted = verdicts.filter(({ verdict: { counts = true } }) => counts);
  const missed = counted.filter(({ verdict }) => missedBy(verdict.figure.median, verdict.bound) > 0);
  const dubious = verdicts.length - counted.length;
  const summary = [
    ["goal", "figure", "wanted", "result"],
    ...verdicts.map(({ section, verdict }) => {
      const [what = "", ...cells] = judged(verdict);
      return [`${section.title.split(".")[0]}: ${what}`, ...cells];
    }),
  ];
  return [
    "# Performance",
    "For operators and contributors. After this page you know how fast pages and imports are on this machine, and which goals they meet. `npm run bench` writes this page; do not edit it. S, M and L are organizations of 1,000, 50,000 and 1,000,000 members. Every figure is a ratio within one run, or has a figure of the same run for comparison: [bench/README.md](../bench/README.md) says when a figure counts. Figures are the median of the rounds, with the least and the greatest in brackets.",
    ...(run.load > QUIET
      ? [
          `**The machine was not quiet when the run began (load ${run.load.toFixed(2)}). Other work made the times in this page too long; it distorts the ratios less.**`,
        ]
      : []),
    "## Result",
    `Size ${largest.size}, pages of 50 unless a row says otherwise. ${verdicts.length} figures have a goal: ${counted.length - missed.length} met it, ${missed.length} missed it${dubious === 0 ? "" : `; ${dubious} do not count because a server was not the bottleneck`}. A section that was measured by itself says so at its end: it is newer than its rows in this table. In the column *figure*, *A by B* is A divided by B; *the limit* is a server that only sends the same bytes.`,
    markdown(summary),
    ...run.failures.map((failure) => `**Not measured:** ${failure}`),
    ...sections.map((section) => sectionText(section)),
    "## The machine",
    [
      `- ${cpus()[0]?.model ?? "unknown processor"}, ${availableParallelism()} cores, ${(totalmem() / 2 ** 30).toFixed(0)} GB`,
      `- ${system()} ${release()}, Node ${process.version}, SQLite ${process.versions["sqlite"] ?? "unknown"}`,
      `- ${pinned() ? "server and load on different cores (`taskset`)" : "server and load not pinned to cores"}`,
      `- the databases lay ${inMemory(bench.folder) ? "in memory (tmpfs)" : "on a disk"}`,
      `- load average when the run began ${run.load.toFixed(2)}; ${run.minutes.toFixed(0)} minutes; ${new Date().toISOString().slice(0, 10)}, commit ${commit()}`,
    ].join("\n"),
    "## To repeat it",
    "    npm ci\n    npm run bench",
    `This run was \`${run.command}\`: sizes ${worlds.map(({ size }) => size).join(", ")}, seed ${largest.seed}, ${timing.rounds} rounds of ${timing.seconds} s over ${timing.connections} connections, ${bench.batch} pages per round for figures that measure CPU time per page. It needs 6 GB of disk for L.`,
    "",
  ].join("\n\n");
}

/** Replaces one section of a document, which it finds by the number in the title. */
export function amended(document: string, section: Section): string {
  const [number = ""] = section.title.split(".");
  const parts = document.split(/^(?=## )/m).filter((part) => !part.startsWith(`## ${number}. `));
  const machine = parts.findIndex((part) => part.startsWith("## The machine"));
  const made = `Measured on ${new Date().toISOString().slice(0, 10)} at commit ${commit()}, by itself; load average ${load().toFixed(2)} in the end.`;
  const results = markdown([["figure", "", "wanted", "result"], ...section.verdicts.map(judged)]);
  return parts.toSpliced(machine, 0, `${sectionText(section, results, made)}\n\n`).join("");
}

function sectionText({ title, parts }: Section, ...more: string[]): string {
  return [
    `## ${title}`,
    ...parts.map((part) => (typeof part === "string" ? part : markdown(part))),
    ...more,
  ].join("\n\n");
}

function git(...args: string[]): string {
  return execFileSync("git", args, { encoding: "utf8" }).trim();
}

/** The commit of the checkout, with a plus sign if `src` or `bench` has uncommitted changes. */
function commit(): string {
  try {
    const changed = git("status", "--porcelain", "--", "src", "bench") !== "";
    return `${git("rev-parse", "--short", "HEAD")}${changed ? "+" : ""}`;
  } catch {
    return "unknown";
  }
}
