import type { Entry, Question, Way } from "./peer.ts";

/** A question for a peer's process. */
export interface Asked {
  readonly way: Way;
  readonly question: Question;
}

/** A timed answer: milliseconds of wall clock and of CPU, all threads of the peer's process together. */
export interface Answer {
  readonly type: "answer";
  readonly entries: readonly Entry[];
  readonly milliseconds: number;
  readonly cpu: number;
}

/** Messages of a peer's process: `ready` once, then an answer or a failure for each question. */
export type Said =
  | {
      readonly type: "ready";
      readonly seconds: number;
      readonly holds: string;
      /** Resident memory, bytes. */
      readonly rss: number;
    }
  | Answer
  | { readonly type: "failed"; readonly message: string };
