/**
 * Inserts the rows of every generation table of one database into the same tables of a new one.
 *
 *     node bench/measures/bare/insert.ts FROM TO SNAPSHOT
 *
 * The baseline is fair: it uses the same schema and keys, a write-ahead log, one prepared statement and one transaction
 * per table, and 64 MB of cache. Rows are inserted in primary key order, so that each table grows at its end. Only
 * inserting is timed, not reading the rows, which is done 20,000 at a time.
 */
import { DatabaseSync } from "node:sqlite";
import { GENERATION_TABLES } from "../../../src/store/schema/tables.ts";

export interface Inserted {
  readonly rows: number;
  /** The CPU of inserting, committing and closing. */
  readonly cpuSeconds: number;
}

const BATCH = 20_000;

const [from = "", to = "", generation = ""] = process.argv.slice(2);
const source = new DatabaseSync(from, { readOnly: true });
const target = new DatabaseSync(to);
target.exec("PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL; PRAGMA cache_size = -65536");

let rows = 0;
let cpuSeconds = 0;
for (const table of GENERATION_TABLES) {
  const schema = source
    .prepare("SELECT sql FROM sqlite_master WHERE tbl_name = ? AND sql IS NOT NULL")
    .all(table);
  const columns = source.prepare("SELECT name, pk FROM pragma_table_info(?)").all(table);
  const key = columns
    .filter(({ pk }) => Number(pk) > 0)
    .sort((a, b) => Number(a["pk"]) - Number(b["pk"]))
    .map(({ name }) => String(name));
  for (const { sql } of schema) target.exec(String(sql));
  const insert = target.prepare(`INSERT INTO ${table} VALUES (${columns.map(() => "?").join(", ")})`);
  const read = source.prepare(`SELECT * FROM ${table} WHERE generation = ? ORDER BY ${key.join(", ")}`);
  read.setReturnArrays(true);
  target.exec("BEGIN");
  let batch: (string | number)[][] = [];
  for (const row of read.iterate(Number(generation))) {
    const values: unknown = row;
    if (!Array.isArray(values)) throw new TypeError("a row is not an array");
    batch.push(values);
    if (batch.length < BATCH) continue;
    time(() => batch.forEach((each) => insert.run(...each)));
    rows += batch.length;
    batch = [];
  }
  rows += batch.length;
  time(() => {
    batch.forEach((each) => insert.run(...each));
    target.exec("COMMIT");
  });
}
time(() => target.close());
source.close();
const inserted: Inserted = { rows, cpuSeconds };
console.log(JSON.stringify(inserted));

function time(work: () => void): void {
  const cpu = process.cpuUsage();
  work();
  const { user, system } = process.cpuUsage(cpu);
  cpuSeconds += (user + system) / 1e6;
}
