import { DatabaseSync } from "node:sqlite";
import { isMainThread, parentPort, Worker, workerData } from "node:worker_threads";
import type { Column, Parameter, Statement } from "../engine.ts";
import { rowsOf, SQLITE, SqliteConnection } from "./connection.ts";

interface Question {
  readonly id: number;
  readonly sql: string;
  readonly parameters: readonly Parameter[];
}
type Answer = { readonly id: number } & ({ readonly rows: Column[][] } | { readonly error: string });

/** Runs long statements in a thread of its own, started when the first one comes. */
export class Aside {
  readonly #path: string;
  readonly #open = new Map<number, { resolve: (rows: Column[][]) => void; reject: (error: Error) => void }>();
  #worker: Worker | undefined;
  #asked = 0;

  constructor(path: string) {
    this.#path = path;
  }

  async read<Row extends Column[]>(wanted: Statement<Row>, parameters: readonly Parameter[]): Promise<Row[]> {
    this.#worker ??= this.#start();
    const id = this.#asked++;
    const question: Question = { id, sql: wanted.sql(SQLITE), parameters };
    const rows = await new Promise<Column[][]>((resolve, reject) => {
      this.#open.set(id, { resolve, reject });
      this.#worker?.postMessage(question);
    });
    return rowsOf<Row>(rows);
  }

  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const worker = new Worker(new URL(import.meta.url), { workerData: { aside: this.#path } });
    worker.unref();
    worker.on("message", (answer: Answer) => {
      const asker = this.#open.get(answer.id);
      this.#open.delete(answer.id);
      if ("error" in answer) asker?.reject(new Error(answer.error));
      else asker?.resolve(answer.rows);
    });
    worker.on("error", (error) => this.#fail(error instanceof Error ? error : new Error(String(error))));
    worker.on("exit", () => this.#fail(new Error("The thread for long statements has ended.")));
    return worker;
  }

  #fail(error: Error): void {
    this.#worker = undefined;
    for (const { reject } of this.#open.values()) reject(error);
    this.#open.clear();
  }
}

if (!isMainThread && parentPort !== null && isOurs(workerData)) {
  const port = parentPort;
  const connection = new SqliteConnection(
    new DatabaseSync(workerData.aside, { readOnly: true, timeout: 5000 }),
  );
  port.on("message", ({ id, sql, parameters }: Question) => {
    let answer: Answer;
    try {
      answer = { id, rows: [...connection.stream({ sql: () => sql }, ...parameters)] };
    } catch (error) {
      answer = { id, error: String(error) };
    }
    port.postMessage(answer);
  });
}

function isOurs(data: unknown): data is { aside: string } {
  return typeof data === "object" && data !== null && "aside" in data && typeof data.aside === "string";
}
