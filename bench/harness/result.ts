/** What a run measured, and the files that keep it. */
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, loadavg, totalmem } from "node:os";
import { fileURLToPath } from "node:url";
import type { Size } from "../data/sizes.ts";
import { type Spread, spread } from "./spread.ts";

/** Median, least and greatest. */
export type Figure = readonly [median: number, least: number, greatest: number];

/** A table of figures: what was measured, of which things. */
export type Figures = Readonly<Record<string, Readonly<Record<string, Figure>>>>;

/** The figures of one size, with where they are from. */
export interface Measured {
  readonly date: string;
  /** The last one that changed `src`; with a plus sign if `src` had uncommitted changes. */
  readonly commit: string;
  /** The load average of the minute before the run. */
  readonly load: number;
  readonly machine: string;
  /** Where the figures were copied from, if this harness did not measure them. */
  readonly recorded?: string;
  readonly figures: Figures;
}

/** The latest figures of every size. */
export type Result = Partial<Record<Size, Measured>>;

/** Takes a figure: the values of the rounds, or one value. */
export type Put = (size: Size, of: string, what: string, values: Spread | readonly number[] | number) => void;

function fileOf(measure: string): string {
  return fileURLToPath(new URL(`../results/${measure}.json`, import.meta.url));
}

export function resultOf(measure: string): Result {
  return existsSync(fileOf(measure)) ? JSON.parse(readFileSync(fileOf(measure), "utf8")) : {};
}

/** Collects what one measure puts. `write` replaces the figures of the sizes that were measured. */
export function openResult(measure: string, note: (text: string) => void): { put: Put; write: () => void } {
  const found = new Map<Size, Record<string, Record<string, Figure>>>();
  const made = stamp();
  return {
    put(size, of, what, values) {
      const all =
        typeof values === "number" ? spread([values]) : "median" in values ? values : spread(values);
      const things = found.get(size) ?? {};
      found.set(size, things);
      const figures = (things[of] ??= {});
      figures[what] = [rounded(all.median), rounded(all.min), rounded(all.max)];
      note(`${measure} ${size}, ${of}, ${what}: ${figures[what].join(" ")}`);
    },
    write() {
      const measured = found.entries().map(([size, figures]) => [size, { ...made, figures }] as const);
      writeResult(measure, { ...resultOf(measure), ...Object.fromEntries(measured) });
    },
  };
}

/** Writes one figure per line, so that a difference of two commits is readable. */
function writeResult(measure: string, result: Result): void {
  const text = JSON.stringify(result, null, 1).replaceAll(
    /\[\s+([^\]]*?)\s+\]/g,
    (_, inner: string) => `[${inner.replaceAll(/,\s+/g, ", ")}]`,
  );
  writeFileSync(fileOf(measure), `${text}\n`);
}

function rounded(value: number): number {
  return Number(value.toPrecision(4));
}

function stamp(): Omit<Measured, "figures"> {
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: commit(),
    load: Number((loadavg()[0] ?? 0).toFixed(1)),
    machine: `${cpus()[0]?.model ?? "unknown"}, ${availableParallelism()} cores, ${(totalmem() / 2 ** 30).toFixed(0)} GB, Node ${process.versions.node}`,
  };
}

function commit(): string {
  const git = (...args: string[]) => execFileSync("git", args, { encoding: "utf8" }).trim();
  try {
    const changed = git("status", "--porcelain", "--", "src") !== "";
    return `${git("log", "-1", "--format=%h", "--", "src")}${changed ? "+" : ""}`;
  } catch {
    return "unknown";
  }
}

const RELIABILITY = fileURLToPath(new URL("../results/reliability.json", import.meta.url));

/** What `npm run test:long` recorded, by part. */
export type Reliability = Readonly<
  Record<string, { readonly measured: string; readonly figures: Readonly<Record<string, string>> }>
>;

export function reliability(): Reliability {
  return JSON.parse(readFileSync(RELIABILITY, "utf8"));
}

/** Replaces the figures of a part, with date and commit. */
export function writeReliability(part: string, figures: Readonly<Record<string, string | number>>): void {
  const { date, commit: at } = stamp();
  const said = Object.entries(figures).map(([what, value]) => [
    what,
    typeof value === "number" ? value.toLocaleString("en") : value,
  ]);
  const made = { measured: `${date}, commit ${at}`, figures: Object.fromEntries(said) };
  writeFileSync(RELIABILITY, `${JSON.stringify({ ...reliability(), [part]: made }, null, 2)}\n`);
}
