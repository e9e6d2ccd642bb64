import type { Entry } from "./peer.ts";

/** An answer with its cost: wall-clock time and CPU of all threads of the peer's process, in milliseconds. */
export interface Answer {
  readonly type: "answer";
  readonly entries: readonly Entry[];
  readonly milliseconds: number;
  readonly cpu: number;
}

/** The messages of a peer's process: `ready` once, then an answer or a failure per question. */
export type Said =
  | {
      readonly type: "ready";
      readonly seconds: number;
      readonly holds: string;
      /** The resident memory, in bytes. */
      readonly rss: number;
    }
  | Answer
  | { readonly type: "failed"; readonly message: string };
