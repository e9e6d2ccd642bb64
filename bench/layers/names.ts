/** Reads the names of compiled functions, which V8 writes with `--perf-basic-prof`. */
import { readFileSync, rmSync } from "node:fs";

interface Compiled {
  readonly from: number;
  readonly to: number;
  readonly name: string;
}

/** The size of a memory page, in bytes. Functions are indexed by the memory pages that contain them. */
const PAGE = 4096;

const fileOf = (pid: number) => `/tmp/perf-${pid}.map`;

export function forgetNames(pid: number): void {
  rmSync(fileOf(pid), { force: true });
}

/**
 * Returns a function that finds the name of the compiled function at an address. V8 reuses the memory of deleted
 * functions, so the last entry for an address counts; `perf` itself takes any of them.
 */
export function compiledNames(pid: number): (address: number) => string | undefined {
  const pages = new Map<number, Compiled[]>();
  for (const line of readFileSync(fileOf(pid), "utf8").split("\n")) {
    const [, start, size, name = ""] = /^(?:0x)?([0-9a-f]+) (?:0x)?([0-9a-f]+) (.*)$/.exec(line) ?? [];
    if (start === undefined || size === undefined) continue;
    const from = Number.parseInt(start, 16);
    const compiled = { from, to: from + Number.parseInt(size, 16), name };
    for (let page = Math.floor(from / PAGE); page * PAGE < compiled.to; page++) {
      const known = pages.get(page);
      if (known === undefined) pages.set(page, [compiled]);
      else known.push(compiled);
    }
  }
  return (address) =>
    pages.get(Math.floor(address / PAGE))?.findLast(({ from, to }) => from <= address && address < to)?.name;
}
