/**
 * The baseline of goal 5: reads the document of every member in key order and writes them to standard output.
 *
 *     node bench/goals/bare/read.ts DATABASE SNAPSHOT > /dev/null
 *
 * Prints its cost on standard error.
 */
import { once } from "node:events";
import { DatabaseSync } from "node:sqlite";

export interface Read {
  readonly documents: number;
  readonly seconds: number;
  readonly cpuSeconds: number;
}

/** The number of rows per statement, as in a page of a walk. */
const STRETCH = 1000;

const [path = "", generation = ""] = process.argv.slice(2);
const database = new DatabaseSync(path, { readOnly: true });
database.exec("PRAGMA cache_size = -65536");
const statement = database.prepare(
  "SELECT position, doc FROM member WHERE generation = ? AND position > ? ORDER BY position LIMIT ?",
);
statement.setReturnArrays(true);

const cpu = process.cpuUsage();
const begin = performance.now();
let documents = 0;
let after = -1;
for (;;) {
  const rows: unknown[] = statement.all(Number(generation), after, STRETCH);
  const texts: string[] = [];
  for (const row of rows) {
    if (!Array.isArray(row)) continue;
    texts.push(String(row[1]));
    after = Number(row[0]);
  }
  documents += texts.length;
  if (!process.stdout.write(`${texts.join("\n")}\n`)) await once(process.stdout, "drain");
  if (rows.length < STRETCH) break;
}
const { user, system } = process.cpuUsage(cpu);
const read: Read = {
  documents,
  seconds: (performance.now() - begin) / 1000,
  cpuSeconds: (user + system) / 1e6,
};
process.stderr.write(`${JSON.stringify(read)}\n`);
database.close();
