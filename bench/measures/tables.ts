/** What each table of a database takes on disk, with its indexes. */
import type { Bench } from "../harness/bench.ts";
import type { Put } from "../harness/result.ts";
import { look } from "../harness/world.ts";

const MB = 1e6;
/** Tables that take a smaller share of the file are put as one row. */
const LEAST = 1 / 100;

export async function tables(bench: Bench, put: Put): Promise<void> {
  for (const { size, path } of bench.worlds) {
    using database = look(path);
    const rows = database
      .prepare(
        `SELECT coalesce(m.tbl_name, s.name) AS name, sum(s.pgsize) AS bytes
           FROM dbstat s LEFT JOIN sqlite_master m ON m.name = s.name WHERE s.aggregate = 1
           GROUP BY 1 ORDER BY bytes DESC`,
      )
      .all()
      .map(({ name, bytes }) => ({ name: String(name), bytes: Number(bytes) }));
    const sum = (some: typeof rows): number => some.reduce((all, { bytes }) => all + bytes, 0);
    const all = sum(rows);
    const large = rows.filter(({ bytes }) => bytes >= LEAST * all);
    put(size, "the whole database", "MB", all / MB);
    for (const { name, bytes } of large) put(size, `\`${name}\``, "MB", bytes / MB);
    put(size, "all other tables", "MB", sum(rows.filter((row) => !large.includes(row))) / MB);
  }
}
