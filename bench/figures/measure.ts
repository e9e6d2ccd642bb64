import type { Generator } from "../load/generator.ts";
import type { Outcome } from "../load/order.ts";
import type { Server } from "../server/server.ts";
import type { Spread } from "./spread.ts";
import { spread } from "./spread.ts";

/** From this event-loop utilisation on, the server and not the load decides the rate. */
export const BUSY = 0.97;

/** One side of a comparison. */
export interface Target {
  readonly name: string;
  readonly server: Pick<Server, "url" | "sample">;
  /** File of request paths, one per line. */
  readonly paths: string;
  /** Whether to repeat the paths; otherwise each round continues where the last one ended. */
  readonly repeat: boolean;
  readonly token?: string;
  /** The line of the file at which the first round begins. */
  readonly from?: number;
}

/** The length and number of rounds. */
export interface Timing {
  readonly rounds: number;
  readonly seconds: number;
  readonly warmSeconds: number;
  readonly connections: number;
}

/** One window of one target. */
export interface Round extends Outcome {
  /** Event-loop utilisation of the server. */
  readonly busy: number;
  /** CPU of the server's main thread and of the whole process, in microseconds per request. */
  readonly mainCpu: number;
  readonly processCpu: number;
  /** Resident memory of the server after the window, bytes. */
  readonly rss: number;
}

/** All windows of one target. */
export interface Measured {
  readonly name: string;
  readonly perSecond: Spread;
  readonly busy: Spread;
  readonly mainCpu: Spread;
  readonly processCpu: Spread;
  readonly rounds: readonly Round[];
  /** The line of the first unused path. */
  readonly next: number;
}

/** Measures the targets in interleaved rounds, A B A B, after a warm-up round of each. The result has the order of `targets`. */
export async function measure(
  generator: Generator,
  targets: readonly Target[],
  timing: Timing,
): Promise<Measured[]> {
  const states = targets.map((target) => ({ target, next: target.from ?? 0, rounds: new Array<Round>() }));
  // Round -1 is a warm-up: V8 still compiles the hot paths.
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

/** The comparison of two targets of the same run. */
export interface Comparison {
  /** Requests per second of the first, divided by those of the second, per round. */
  readonly ratio: Spread;
  /** Main-thread CPU per request of the first, divided by that of the second, per round. */
  readonly cpuRatio: Spread;
  /** Whether both servers were the bottleneck in every round. */
  readonly counts: boolean;
}

/** Compares two targets of one `measure`. Ratios are of neighbouring rounds, so that slow drift of the machine cancels out. */
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
