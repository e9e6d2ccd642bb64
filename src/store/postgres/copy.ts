import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Client } from "pg";
import { from } from "pg-copy-streams";
import type { Column } from "../engine.ts";

/** What COPY's text format writes as a backslash and a letter. */
const SPECIAL = /[\\\t\n\r]/g;
const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

function written(column: Column): string {
  if (column === null) return "\\N";
  return typeof column === "number"
    ? String(column)
    : column.replaceAll(SPECIAL, (found) => ESCAPES[found] ?? found);
}

/** Appends rows to a table by COPY, in the order of its columns. */
export async function copyInto(
  client: Client,
  table: string,
  rows: readonly (readonly Column[])[],
): Promise<void> {
  const text = rows.map((row) => row.map(written).join("\t")).join("\n");
  await pipeline(Readable.from([`${text}\n`]), client.query(from(`COPY ${table} FROM STDIN`)));
}
