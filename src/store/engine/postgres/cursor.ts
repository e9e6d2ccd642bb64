import type { ClientBase } from "pg";
import type { Column } from "../engine.ts";

const ROWS = 2000;

/**
 * Declares a cursor, and returns all its rows in bounded memory. Call it in a transaction, unless the cursor is
 * `WITH HOLD`.
 */
export async function* fetchAll<Row extends Column[]>(
  client: ClientBase,
  cursor: string,
  declaration: string,
  parameters: unknown[] = [],
): AsyncGenerator<Row> {
  await client.query(`DECLARE ${cursor} ${declaration}`, parameters);
  for (;;) {
    const { rows } = await client.query<Row>({ text: `FETCH ${ROWS} FROM ${cursor}`, rowMode: "array" });
    yield* rows;
    if (rows.length < ROWS) break;
  }
  await client.query(`CLOSE ${cursor}`);
}
