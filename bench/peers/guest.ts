import { fork } from "node:child_process";
import { on } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { Answer, Said } from "./messages.ts";
import type { Question } from "./peer.ts";

const HOST = fileURLToPath(new URL("host.ts", import.meta.url));
/** After this time (seconds) a question counts as unanswered. */
const PATIENCE = 300;

/** A peer that runs in its own process. */
export interface Guest {
  /** The result of loading the data, in words. */
  readonly loaded: string;
  /**
   * Throws if the peer fails, has ended, or does not answer within {@link PATIENCE}. The peer's process is then ended.
   */
  readonly ask: (question: Question) => Promise<Answer>;
  readonly stop: () => void;
}

/** Starts a peer: `plain SIZE SEED` or `spicedb SIZE SEED`. If it cannot load, `loaded` and `ask` say so. */
export async function startGuest(...args: string[]): Promise<Guest> {
  const child = fork(HOST, args);
  const messages = on(child, "message", { close: ["exit"] });
  let broken: string | undefined;

  async function next(): Promise<Said> {
    const { value, done } = await messages.next();
    return done ? { type: "failed", message: "its process ended" } : value[0];
  }

  function giveUp(reason: string): Error {
    broken = reason;
    child.kill("SIGKILL");
    return new Error(reason);
  }

  const first = await next();
  if (first.type !== "ready") giveUp(first.type === "failed" ? first.message : "it answered unasked");
  const loaded =
    first.type === "ready"
      ? `${first.holds}, ready after ${first.seconds.toFixed(1)} s, ${Math.round(first.rss / 2 ** 20)} MB resident`
      : (broken ?? "");

  return {
    loaded,
    async ask(question) {
      if (broken !== undefined) throw new Error(broken);
      child.send(question);
      const timer = new AbortController();
      const late = sleep(PATIENCE * 1000, undefined, { signal: timer.signal }).catch(() => undefined);
      const said = await Promise.race([next(), late]);
      timer.abort();
      if (said === undefined) throw giveUp(`no answer within ${PATIENCE} s`);
      if (said.type === "failed") throw new Error(said.message);
      if (said.type === "ready") throw giveUp("it was ready twice");
      return said;
    },
    stop: () => void child.kill("SIGKILL"),
  };
}
