import { hash } from "node:crypto";
import type { ClientBase } from "pg";
import type { Column, Connection, Parameter, Statement } from "../engine.ts";
import { POSTGRES } from "./dialect.ts";
import { sendable } from "./sendable.ts";

/** A prepared statement. The name is a hash of the text, so it is the same in every process. */
interface Prepared {
  readonly name: string;
  readonly text: string;
}

const PREPARED = new WeakMap<object, Prepared>();

function prepared(wanted: Statement<Column[]>): Prepared {
  let found = PREPARED.get(wanted);
  if (found === undefined) {
    const text = wanted.sql(POSTGRES);
    found = { text, name: `rolebook_${hash("sha256", text).slice(0, 24)}` };
    PREPARED.set(wanted, found);
  }
  return found;
}

/** Runs a statement that the server keeps prepared for this session, and returns all its rows. */
export async function readPrepared<Row extends Column[]>(
  client: ClientBase,
  wanted: Statement<Row>,
  parameters: readonly Parameter[],
): Promise<Row[]> {
  const { name, text } = prepared(wanted);
  const { rows } = await client.query<Row>({ name, text, values: sendable(parameters), rowMode: "array" });
  return rows;
}

/** Runs statements on one session without preparing them, because a transaction or an import runs each one once. */
export class PostgresConnection implements Connection {
  readonly dialect = POSTGRES;
  protected readonly client: ClientBase;

  constructor(client: ClientBase) {
    this.client = client;
  }

  async read<Row extends Column[]>(wanted: Statement<Row>, ...parameters: Parameter[]): Promise<Row[]> {
    const { text } = prepared(wanted);
    const { rows } = await this.client.query<Row>({ text, values: sendable(parameters), rowMode: "array" });
    return rows;
  }

  async write(wanted: Statement<never>, ...parameters: Parameter[]): Promise<number> {
    const { rowCount } = await this.client.query(prepared(wanted).text, sendable(parameters));
    return rowCount ?? 0;
  }

  async writeEach(wanted: Statement<never>, lists: readonly (readonly Parameter[])[]): Promise<void> {
    for (const parameters of lists) await this.write(wanted, ...parameters);
  }

  async script(sql: string): Promise<void> {
    await this.client.query(sql);
  }
}
