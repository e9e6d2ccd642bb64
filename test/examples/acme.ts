import { readFileSync } from "node:fs";
import type { SnapshotRecord } from "../oracle/records.ts";

/** The text of a file of this repository, by its path from the root. Throws if it does not exist. */
export function textOf(path: string): string {
  return readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");
}

/** The records of NDJSON text, in order. Throws on a line that is not JSON. */
export function recordsIn(text: string): SnapshotRecord[] {
  return text
    .split("\n")
    .filter((line) => line !== "")
    .map((line): SnapshotRecord => JSON.parse(line));
}

/** The records of examples/acme.ndjson, in the file's order. */
export const acme: readonly SnapshotRecord[] = recordsIn(textOf("examples/acme.ndjson"));
