import type { Generator } from "../load/generator.ts";
import type { Outcome } from "../load/order.ts";
import type { Server } from "../server/server.ts";
import { type Spread, spread } from "./spread.ts";

/** At this event-loop utilization or more, the server is the bottleneck, not the load generator. */
export const BUSY = 0.97;

/** A server under measurement, and the requests for it. */
export interface Target {
  readonly name: string;
  readonly server: Pick<Server, "url" | "sample">;
  /** Path of a file with one request path per line. */
  readonly paths: string;
  /** Whether to begin again after the last path. Otherwise each round continues where the last one ended. */
  readonly repeat: boolean;
  readonly token?: string;
  /** The line of the file at which the first round begins. */
  readonly from?: number;
}

export interface Timing {
  readonly rounds: number;
  readonly seconds: number;
  readonly warmSeconds: number;
  readonly connections: number;
}

/** The figures of one target in one round. */
export interface Round extends Outcome {
  /** The event-loop utilization of the server, from 0 to 1. */
  readonly busy: number;
  /** CPU of the server's main thread and of the whole process, in microseconds per request. */
  readonly mainCpu: number;
  readonly processCpu: number;
  /** The resident memory of the server after the round, in bytes. */
  readonly rss: number;
}

/** The figures of one target in all rounds. */
export interface Measured {
  readonly name: string;
  readonly perSecond: Spread;
  readonly busy: Spread;
  readonly mainCpu: Spread;
  readonly processCpu: Spread;
  readonly rounds: readonly Round[];
  /** The number of the first line that was not used. */
  readonly next: number;
}

/** Measures the targets in turn in each round, after a warm-up round. The result has the order of `targets`. */
export async function measure(
  generator: Generator,
  targets: readonly Target[],
  timing: Timing,
): Promise<Measured[]> {
  const states = targets.map((target) => ({ target, next: target.from ?? 0, rounds: new Array<Round>() }));
  // Round -1 warms up: V8 compiles the hot code.
  for (let round = -1; round < timing.rounds; round += 1) {
    for (const state of states) {
      const { target } = state;
      const samples = new Array<Awaited<ReturnType<Server["sample"]>>>();
      const order = {
        ...timing,
        url: target.server.url,
        paths: target.paths,
        from: state.next,
        repeat: target.repeat,
        token: target.token ?? "none",
      };
      const { outcome, next } = await generator.run(order, async () => {
        samples.push(await target.server.sample());
      });
      const [begin, end] = samples;
      if (begin === undefined || end === undefined)
        throw new Error(`${target.name}: the probe did not answer`);
      state.next = next;
      if (round < 0) continue;
      const perMillisecond = outcome.perSecond / 1000;
      const took = end.at - begin.at;
      const active = end.active - begin.active;
      state.rounds.push({
        ...outcome,
        busy: active / (active + end.idle - begin.idle),
        mainCpu: (end.mainCpu - begin.mainCpu) / took / perMillisecond,
        processCpu: (end.processCpu - begin.processCpu) / took / perMillisecond,
        rss: end.rss,
      });
    }
  }
  return states.map(({ target, next, rounds }) => ({
    name: target.name,
    perSecond: spread(rounds.map((round) => round.perSecond)),
    busy: spread(rounds.map((round) => round.busy)),
    mainCpu: spread(rounds.map((round) => round.mainCpu)),
    processCpu: spread(rounds.map((round) => round.processCpu)),
    rounds,
    next,
  }));
}

export interface Comparison {
  /** Per round: requests per second of the first target, divided by those of the second. */
  readonly ratio: Spread;
  /** Per round: CPU of the main thread per request of the first target, divided by that of the second. */
  readonly cpuRatio: Spread;
  /** Whether the server was the bottleneck in every round of both targets. */
  readonly counts: boolean;
}

/**
 * Compares two targets of one {@link measure}. Each ratio is of two measurements in the same round, so that slow drift
 * of the machine cancels out.
 */
export function compare(one: Measured, other: Measured): Comparison {
  const rounds = one.rounds.flatMap((a, i) => {
    const b = other.rounds[i];
    return b === undefined ? [] : [{ rate: a.perSecond / b.perSecond, cpu: a.mainCpu / b.mainCpu }];
  });
  return {
    ratio: spread(rounds.map(({ rate }) => rate)),
    cpuRatio: spread(rounds.map(({ cpu }) => cpu)),
    counts: one.busy.min >= BUSY && other.busy.min >= BUSY,
  };
}
