import type { SnapshotRecord } from "./records.ts";

type Several<T> = Iterable<T> | AsyncIterable<T>;

/** The lines of a snapshot file with its end record, without line ends. */
export function snapshotLines(records: Several<SnapshotRecord>): AsyncGenerator<string> {
  return withEnd(written(records));
}

/** Adds the end record (contract, section 8). */
export async function* withEnd(lines: Several<string>): AsyncGenerator<string> {
  let records = 0;
  for await (const line of lines) {
    records++;
    yield line;
  }
  yield JSON.stringify({ object: "end", records });
}

async function* written(records: Several<SnapshotRecord>): AsyncGenerator<string> {
  for await (const record of records) yield JSON.stringify(record);
}
