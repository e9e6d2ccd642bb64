import * as fc from "fast-check";
import { expect } from "vitest";
import { type SnapshotRecord, toLines } from "../oracle/records.ts";
import failedOnce from "./failed-once.json" with { type: "json" };

/** A case that once failed: the title of its test, the seed of its run, and the number of cases before it. */
export interface FailedOnce {
  readonly test: string;
  readonly seed: number;
  readonly run: number;
}

/** The most cases that are tried to find a smaller one that fails too: each may start a server. */
const SHRINKS = 300;

/**
 * Throws unless a property holds for random values, and first for those of its test that once failed
 * (`failed-once.json`). The error has the smallest values found that fail, organizations as snapshot files.
 */
export function holds<Values>(
  property: fc.IAsyncProperty<Values>,
  parameters?: fc.Parameters<Values>,
  known?: readonly FailedOnce[],
): Promise<void>;
export function holds<Values>(
  property: fc.IProperty<Values>,
  parameters?: fc.Parameters<Values>,
  known?: readonly FailedOnce[],
): void;
export function holds<Values>(
  property: fc.IRawProperty<Values>,
  parameters: fc.Parameters<Values> = {},
  known: readonly FailedOnce[] = failedOnce,
): Promise<void> | void {
  const title = expect.getState().currentTestName ?? "";
  const runs = [
    ...casesOf(title, known).map(({ seed, run }) => ({ seed, path: String(run), numRuns: 1 })),
    {},
  ].map((own) => ({
    ...parameters,
    ...own,
    plugins: [shrinkingAtMost<Values>(SHRINKS), toldAs<Values>(title)],
  }));
  if (!property.isAsync()) {
    for (const each of runs) void fc.assert(property, each);
    return undefined;
  }
  return runs.reduce(
    (before: Promise<void>, each) => before.then(() => fc.assert(property, each)),
    Promise.resolve(),
  );
}

/** The cases of a test, whose full name begins with the names of what it is in. */
function casesOf(test: string, all: readonly FailedOnce[]): readonly FailedOnce[] {
  return all.filter((each) => test === each.test || test.endsWith(` > ${each.test}`));
}

/** After so many cases since the first that failed, no other fails: what failed last is the smallest. */
function shrinkingAtMost<Values>(most: number): fc.Plugin<Values> {
  return () => {
    let left = Number.POSITIVE_INFINITY;
    return {
      decorateRun: (run) => (value) => {
        if (left-- <= 0) return null;
        const noted = (failure: Awaited<ReturnType<typeof run>>) => {
          if (failure !== null && "error" in failure) left = Math.min(left, most);
          return failure;
        };
        const outcome = run(value);
        return outcome instanceof Promise ? outcome.then(noted) : noted(outcome);
      },
    };
  };
}

function toldAs<Values>(test: string): fc.Plugin<Values> {
  return () => ({
    onAllRunsComplete({ failed, counterexample, counterexamplePath, errorInstance, numShrinks, seed }) {
      // What drew no value that fits is told by the runner.
      if (!failed || counterexamplePath === null) return;
      const title = test.split(" > ").at(-1) ?? test;
      const own = { test: title, seed, run: Number.parseInt(counterexamplePath, 10) };
      const cause = errorInstance instanceof Error ? errorInstance : new Error(String(errorInstance));
      throw new Error(
        [
          cause.message,
          `Property failed, shrunk ${numShrinks} times. To try this case always, add to test/setup/failed-once.json:`,
          JSON.stringify(own),
          ...valuesOf(counterexample).map(told),
        ].join("\n"),
        { cause },
      );
    },
  });
}

/** The values of a property; in place of histories, their states. */
function valuesOf(counterexample: unknown): readonly unknown[] {
  const values: readonly unknown[] = Array.isArray(counterexample) ? counterexample : [counterexample];
  return values.flatMap((value) =>
    Array.isArray(value) && value.length > 0 && value.every(isRecords) ? value : [value],
  );
}

function told(value: unknown, at: number): string {
  return isRecords(value)
    ? `Value ${at + 1}, a file for rolebook import:\n${toLines(value)}`
    : `Value ${at + 1}: ${fc.stringify(value)}`;
}

function isRecords(value: unknown): value is readonly SnapshotRecord[] {
  return Array.isArray(value) && value.length > 0 && value.every((each) => typeof each?.object === "string");
}
