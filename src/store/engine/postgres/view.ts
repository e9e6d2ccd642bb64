import type { ClientBase } from "pg";
import type { Column, Parameter, Reader, Statement } from "../engine.ts";
import { PostgresConnection, readPrepared } from "./connection.ts";
import { fetchAll } from "./cursor.ts";
import { POSTGRES } from "./dialect.ts";
import { answered } from "./failure.ts";
import { SESSION } from "./hosts/pool.ts";
import { sendable } from "./sendable.ts";

/**
 * A consistent read on one session: all reads see the state at its start. {@link answered} converts errors of the
 * database.
 */
export class PostgresView extends PostgresConnection implements Reader {
  readonly history: number;
  readonly remote = true;
  #cursors = 0;
  /** The last read that was begun. Reads take turns: pg 9 refuses a query while its client runs another one. */
  #last: Promise<unknown> = Promise.resolve();

  private constructor(client: ClientBase, history: number) {
    super(client);
    this.history = history;
  }

  /** Starts a consistent read, which ends with the session. `history` is {@link Reader.history} of the engine. */
  static async begin(client: ClientBase, history: number): Promise<PostgresView> {
    const view = new PostgresView(client, history);
    await view.#run(
      client.query(`${SESSION}; SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0`),
    );
    await view.#run(client.query("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"));
    return view;
  }

  override read<Row extends Column[]>(wanted: Statement<Row>, ...parameters: Parameter[]): Promise<Row[]> {
    const rows = this.#last.then(() => readPrepared(this.client, wanted, parameters));
    this.#last = rows.catch(() => {});
    return this.#run(rows);
  }

  async *stream<Row extends Column[]>(
    wanted: Statement<Row>,
    ...parameters: Parameter[]
  ): AsyncGenerator<Row> {
    const cursor = `rows_${this.#cursors++}`;
    try {
      yield* fetchAll<Row>(this.client, cursor, `CURSOR FOR ${wanted.sql(POSTGRES)}`, sendable(parameters));
    } catch (error) {
      throw answered(error);
    }
  }

  async #run<T>(asked: Promise<T>): Promise<T> {
    try {
      return await asked;
    } catch (error) {
      throw answered(error);
    }
  }
}
