import { readFileSync } from "node:fs";
import { join } from "node:path";
import { rolebook as rolebookHere } from "../command.ts";
import { rolebook } from "./program.ts";
import { type Ground, leftovers, type State, stateOf } from "./states.ts";

const KILL_AT = new URL("kill-at.ts", import.meta.url).pathname;

/** How an import ended that was to be killed. */
export interface Killing {
  /** The statement before which the import was killed; absent if it was killed after a time. */
  readonly statement: string | undefined;
  /** False if the import ended before it could be killed. */
  readonly died: boolean;
  readonly published: boolean;
}

/** Imports `state`, and returns the number of SQLite calls. */
export async function callsOf(ground: Ground, state: State): Promise<number> {
  const log = join(ground.folder, "calls");
  const { status, stderr } = await rolebook(importing(ground, state), {
    preload: [KILL_AT],
    environment: { KILL_LOG: log },
  });
  if (status !== 0) throw new Error(stderr);
  return Number(readFileSync(log, "utf8"));
}

/**
 * Kills an import right before a call of SQLite; with `text`, only calls with this text in their statement are counted.
 * Throws unless the lists are then all old or all new.
 */
export async function killAt(
  ground: Ground,
  from: State,
  to: State,
  call: number,
  most?: number,
  text = "",
): Promise<Killing> {
  const log = join(ground.folder, "calls");
  const { signal } = await rolebook(importing(ground, to), {
    preload: [KILL_AT],
    environment: { KILL_LOG: log, KILL_AT: String(call), KILL_TEXT: text },
  });
  const [, statement = ""] = /^\d+ (.*)$/s.exec(readFileSync(log, "utf8")) ?? [];
  return judged(ground, from, to, signal !== null, statement.trim().replaceAll(/\s+/g, " "), most);
}

/** Kills an import after some milliseconds. Throws unless the lists are then all old or all new. */
export async function killAfter(
  ground: Ground,
  from: State,
  to: State,
  milliseconds: number,
  most?: number,
): Promise<Killing> {
  const { signal } = await rolebook(importing(ground, to), { killAfter: milliseconds });
  return judged(ground, from, to, signal !== null, undefined, most);
}

async function judged(
  ground: Ground,
  from: State,
  to: State,
  died: boolean,
  statement: string | undefined,
  most?: number,
): Promise<Killing> {
  const now = await stateOf(ground, most);
  if (now !== from && now !== to) throw new Error(`${now.name} is neither old nor new`);
  return { statement, died, published: now === to };
}

/** Runs an import to its end, without any repair before. Throws if anything of killed imports remains. */
export async function importWhole(ground: Ground, to: State, most?: number): Promise<void> {
  const { status, stderr } = await rolebookHere(importing(ground, to));
  if (status !== 0) throw new Error(`the import after a crash: ${stderr}`);
  if ((await stateOf(ground, most)).name !== to.name) throw new Error(`the import of ${to.name} did nothing`);
  const left = await leftovers(ground);
  if (left.length > 0) throw new Error(`left behind: ${left.join(", ")}`);
}

function importing({ url }: Ground, { file }: State): string[] {
  return ["import", "--allow-removals", "--database", url, file];
}
