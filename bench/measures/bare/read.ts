/**
 * Reads the profile of every member in the order of their ids, 1000 rows per statement, and joins them; decides nothing.
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
// The database was imported once, so that all rows hold.
const statement = database.prepare(
  "SELECT id, profile FROM member_row WHERE generation = ? AND id > ? AND part = 0 ORDER BY id LIMIT ?",
);
statement.setReturnArrays(true);

const begin = process.cpuUsage();
let [documents, bytes, after] = [0, 0, ""];
for (let more = true; more;) {
  const rows: unknown[] = statement.all(Number(generation), after, STRETCH);
  const texts: string[] = [];
  for (const row of rows) {
    if (!Array.isArray(row)) continue;
    texts.push(String(row[1]));
    after = String(row[0]);
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
