import { setTimeout as sleep } from "node:timers/promises";
import { replaced } from "../store/statements/replaced.ts";
import type { Column, Engine, Parameter, Statement } from "../../src/store/engine/engine.ts";

/** The statements of an engine since `forget`. */
export interface Recorder {
  readonly engine: Engine;
  /** The number of waits for the database. Statements that are sent without waiting in between are one wait. */
  waits: number;
  forget(): void;
}

/** How long statements are held for further ones before any is answered, in milliseconds. */
const QUIET = 8;

/**
 * Wraps an engine and records its statements. Statements are held until no more arrive and answered together, so that
 * the number of waits is that of the longest chain, however long each statement takes.
 */
export function recorded(engine: Engine): Recorder {
  let batch: (() => Promise<unknown>)[] = [];
  let answered: Promise<void> | undefined;
  const flush = async () => {
    await sleep(QUIET);
    const held = batch;
    [batch, answered] = [[], undefined];
    recorder.waits++;
    await Promise.allSettled(held.map((run) => run()));
  };
  const watched =
    (read: Engine["read"]) =>
    async <Row extends Column[]>(wanted: Statement<Row>, ...parameters: Parameter[]): Promise<Row[]> => {
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
    engine: replaced(engine, {
      read: watched(engine.read.bind(engine)),
      readFresh: watched(engine.readFresh.bind(engine)),
    }),
    waits: 0,
    forget() {
      recorder.waits = 0;
    },
  };
  return recorder;
}
