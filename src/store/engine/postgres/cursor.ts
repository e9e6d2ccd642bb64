import type { ClientBase } from "pg";
import type { Column } from "../engine.ts";

/** The number of rows per fetch. */
const ROWS = 2000;

/** All rows of the cursor that `declaration` declares, in bounded memory. */
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
