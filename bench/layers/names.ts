/** The names of compiled functions, as V8 writes them with `--perf-basic-prof`. */
import { readFileSync, rmSync } from "node:fs";

interface Compiled {
  readonly from: number;
  readonly to: number;
  readonly name: string;
}

/** Functions are indexed by the memory pages that contain them. */
const PAGE = 4096;

const fileOf = (pid: number) => `/tmp/perf-${pid}.map`;

/** Deletes the file of a process. */
export function forgetNames(pid: number): void {
  rmSync(fileOf(pid), { force: true });
}

/**
 * Returns the name of the function at an address. The memory of deleted functions is reused, so the last entry for an address
 * counts; `perf` itself takes any of them.
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
