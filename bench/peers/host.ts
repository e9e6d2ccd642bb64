/**
 * The process of a peer. It can be ended if the peer needs too much time or memory.
 *
 *     node host.ts plain SIZE SEED
 *     node host.ts spicedb SIZE SEED
 *
 * Needs an IPC channel.
 */
import { totalmem } from "node:os";
import { snapshotLines } from "../data.ts";
import { parseSize } from "../data/sizes.ts";
import type { Said } from "./messages.ts";
import type { Peer, Question } from "./peer.ts";
import { loadPlain } from "./plain.ts";

/** Loading is given up above this share of the machine's memory, or after this many seconds. */
const MOST_MEMORY = 0.6;
const MOST_SECONDS = 900;

const begin = performance.now();

function watch(written: number): void {
  const rss = process.memoryUsage.rss();
  const seconds = (performance.now() - begin) / 1000;
  if (rss < totalmem() * MOST_MEMORY && seconds < MOST_SECONDS) return;
  throw new Error(
    `given up while loading: ${written} relationships took ${Math.round(seconds)} s and ${Math.round(rss / 2 ** 20)} MB`,
  );
}

async function open(name = "", what = "", seed = "1"): Promise<Peer> {
  const lines = withoutSites(snapshotLines(parseSize(what), Number(seed)));
  if (name === "plain") return await loadPlain(lines);
  // Only those who compare with SpiceDB have installed it.
  const { loadSpiceDB } = await import("./spicedb.ts");
  return await loadSpiceDB(lines, watch);
}

/** Leaves out what sites say, which the peers do not know; no question is about a space that asks such a site. */
async function* withoutSites(lines: AsyncIterable<string>): AsyncGenerator<string> {
  for await (const line of lines) if (!line.startsWith('{"object":"permission","site":')) yield line;
}

function say(message: Said): void {
  process.send?.(message);
}

async function answer(peer: Peer, question: Question): Promise<void> {
  const cpu = process.cpuUsage();
  const asked = performance.now();
  const entries = await peer.ask(question);
  const milliseconds = performance.now() - asked;
  const { user, system } = process.cpuUsage(cpu);
  say({ type: "answer", entries, milliseconds, cpu: (user + system) / 1000 });
}

const fail = (error: unknown): void =>
  say({ type: "failed", message: error instanceof Error ? error.message : String(error) });

try {
  const peer = await open(...process.argv.slice(2));
  const seconds = (performance.now() - begin) / 1000;
  say({ type: "ready", seconds, holds: peer.holds, rss: process.memoryUsage.rss() });
  process.on("message", (question: Question) => void answer(peer, question).catch(fail));
} catch (error) {
  fail(error);
}
