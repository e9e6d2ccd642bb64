import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Client } from "pg";
import { from } from "pg-copy-streams";
import type { Column } from "../engine.ts";

/** Characters that must be escaped in COPY's text format. */
const SPECIAL = /[\\\t\n\r]/g;
const ESCAPES: Readonly<Record<string, string>> = { "\\": "\\\\", "\t": "\\t", "\n": "\\n", "\r": "\\r" };

function written(column: Column): string {
  if (column === null) return "\\N";
  if (typeof column === "number") return String(column);
  return column instanceof Uint8Array
    ? `\\\\x${Buffer.from(column).toString("hex")}`
    : column.replaceAll(SPECIAL, (found) => ESCAPES[found] ?? found);
}

/**
 * Appends rows to a table by COPY. `values` has the columns of the first row, then those of the second row, and so on.
 */
export async function copyInto(
  client: Client,
  table: string,
  columns: number,
  values: readonly Column[],
): Promise<void> {
  let text = "";
  for (const [index, value] of values.entries()) {
    text += written(value) + ((index + 1) % columns === 0 ? "\n" : "\t");
  }
  await pipeline(Readable.from([text]), client.query(from(`COPY ${table} FROM STDIN`)));
}
