/**
 * Reads the document of every member in key order, 1000 rows per statement, and joins them; decides nothing.
 *
 *     node bench/measures/bare/read.ts DATABASE GENERATION
 */
import { DatabaseSync } from "node:sqlite";

/** CPU in microseconds. */
export interface Read {
  readonly documents: number;
  readonly cpu: number;
}

const STRETCH = 1000;

const [path = "", generation = ""] = process.argv.slice(2);
const database = new DatabaseSync(path, { readOnly: true });
database.exec("PRAGMA cache_size = -65536");
const statement = database.prepare(
  "SELECT position, doc FROM member WHERE generation = ? AND position > ? ORDER BY position LIMIT ?",
);
statement.setReturnArrays(true);

const begin = process.cpuUsage();
let [documents, bytes, after] = [0, 0, -1];
for (let more = true; more;) {
  const rows: unknown[] = statement.all(Number(generation), after, STRETCH);
  const texts: string[] = [];
  for (const row of rows) {
    if (!Array.isArray(row)) continue;
    texts.push(String(row[1]));
    after = Number(row[0]);
  }
  documents += texts.length;
  bytes += Buffer.from(texts.join("\n")).length;
  more = rows.length === STRETCH;
}
const { user, system } = process.cpuUsage(begin);
database.close();
if (bytes === 0) throw new Error(`${path} has no members`);
const read: Read = { documents, cpu: user + system };
console.log(JSON.stringify(read));
