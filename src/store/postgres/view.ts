import type { ClientBase } from "pg";
import type { Column, Parameter, Reader, Statement } from "../engine.ts";
import { PostgresConnection, readPrepared } from "./connection.ts";
import { POSTGRES } from "./dialect.ts";
import { sendable } from "./sendable.ts";

/** Rows fetched at a time. */
const ROWS = 2000;

/** Reads of one session, all of the moment at which it began. */
export class PostgresView extends PostgresConnection implements Reader {
  readonly history: number;
  readonly distant = true;
  #cursors = 0;

  private constructor(client: ClientBase, history: number) {
    super(client);
    this.history = history;
  }

  /** Begins such a view; it ends with the session. `history`: the engine's. */
  static async begin(client: ClientBase, history: number): Promise<PostgresView> {
    await client.query(
      "SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; SET jit = off",
    );
    await client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY");
    return new PostgresView(client, history);
  }

  override read<Row extends Column[]>(wanted: Statement<Row>, ...parameters: Parameter[]): Promise<Row[]> {
    return readPrepared(this.client, wanted, parameters);
  }

  async *stream<Row extends Column[]>(
    wanted: Statement<Row>,
    ...parameters: Parameter[]
  ): AsyncGenerator<Row> {
    const cursor = `rows_${this.#cursors++}`;
    await this.client.query(`DECLARE ${cursor} CURSOR FOR ${wanted.sql(POSTGRES)}`, sendable(parameters));
    for (;;) {
      const { rows } = await this.client.query<Row>({
        text: `FETCH ${ROWS} FROM ${cursor}`,
        rowMode: "array",
      });
      yield* rows;
      if (rows.length < ROWS) break;
    }
    await this.client.query(`CLOSE ${cursor}`);
  }
}
