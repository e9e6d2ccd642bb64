import { setTimeout as sleep } from "node:timers/promises";
import { replaced } from "../store/engine/statements/replaced.ts";
import type { SqlValue, Engine, SqlParameter, Statement } from "../../src/store/engine/engine.ts";

/** An engine whose waits are counted; `forget` begins anew. */
export interface Recorder {
  readonly engine: Engine;
  /** The number of waits for the database. Statements that are sent together count as one wait. */
  waits: number;
  forget(): void;
}

/** Statements are answered when no further statement has come for this time, in milliseconds. */
const QUIET = 8;
const TURNS = 10;

/**
 * Wraps an engine and counts its waits. Statements are held until no more arrive, and then answered together. So the
 * number of waits is the length of the longest chain of dependent statements, however long each takes.
 */
export function recorded(engine: Engine): Recorder {
  let batch: (() => Promise<unknown>)[] = [];
  let answered: Promise<void> | undefined;
  const flush = async () => {
    for (let known = 0; known < batch.length;) {
      known = batch.length;
      await sleep(QUIET);
      // After a pause of this process, timers come first: what was due meanwhile has its turn now.
      for (let turn = 0; turn < TURNS; turn++) await new Promise((resolve) => setImmediate(resolve));
    }
    const held = batch;
    [batch, answered] = [[], undefined];
    recorder.waits++;
    await Promise.allSettled(held.map((run) => run()));
  };
  const watched =
    (read: Engine["read"]) =>
    async <Row extends SqlValue[]>(wanted: Statement<Row>, ...parameters: SqlParameter[]): Promise<Row[]> => {
      const { promise, resolve } = Promise.withResolvers<Promise<Row[]>>();
      batch.push(() => {
        const rows = read(wanted, ...parameters);
        resolve(rows);
        return rows;
      });
      answered ??= flush();
      const whole = answered;
      const rows = promise.then((found) => found);
      await Promise.allSettled([whole, rows]);
      return rows;
    };
  const recorder: Recorder = {
    engine: replaced(engine, { read: watched(engine.read.bind(engine)) }),
    waits: 0,
    forget() {
      recorder.waits = 0;
    },
  };
  return recorder;
}
