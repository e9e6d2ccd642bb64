/** The CPU of pages: every measure of pages uses it. */
import { Agent } from "node:http";
import type { Bench } from "./bench.ts";
import { ask } from "./capture.ts";
import type { Server } from "./server.ts";

/** One server and its pages, compared with others in turn. */
export interface Side {
  readonly server: Pick<Server, "url" | "sample">;
  readonly token: string;
  /** The paths of the next round. */
  readonly next: () => readonly string[];
}

/** Per round: CPU of the server per page, in microseconds. */
export interface Cost {
  /** Of the main thread. */
  readonly main: number[];
  /** Of all threads; on PostgreSQL, of all its processes too. */
  readonly process: number[];
}

/** V8 compiles the code of a server in these rounds. */
const WARM = 2;
const CONNECTIONS = 8;

/**
 * Requests the pages of all sides in turn, A B A B, and measures the CPU of their servers. CPU is the same whether the
 * server was saturated or not, and other work on the machine changes it little.
 */
export async function costs(
  { generator, lines, rounds }: Pick<Bench, "generator" | "lines" | "rounds">,
  sides: readonly Side[],
  connections = CONNECTIONS,
): Promise<Cost[]> {
  const found = sides.map((): Cost => ({ main: [], process: [] }));
  for (let round = -WARM; round < rounds; round += 1) {
    for (const [index, { server, token, next }] of sides.entries()) {
      const pages = next();
      const paths = lines(`${connections}-${index}.txt`, pages);
      const begin = await server.sample();
      await generator.run({ url: server.url, paths, token, connections });
      const end = await server.sample();
      if (round < 0) continue;
      found[index]?.main.push((end.mainCpu - begin.mainCpu) / pages.length);
      found[index]?.process.push((end.processCpu - begin.processCpu) / pages.length);
    }
  }
  return found;
}

/** The means of some pages, requested one after the other. */
export interface Seen {
  readonly entries: number;
  readonly bytes: number;
}

export async function seen({ server, token, next }: Side): Promise<Seen> {
  const agent = new Agent({ keepAlive: true });
  const pages = next();
  let [entries, bytes] = [0, 0];
  try {
    for (const page of pages) {
      const { body } = await ask(new URL(page, server.url), token, agent);
      entries += countOf(body);
      bytes += Buffer.byteLength(body);
    }
  } finally {
    agent.destroy();
  }
  const each = (all: number): number => all / pages.length;
  return { entries: each(entries), bytes: each(bytes) };
}

/** The number of entries of a page. */
export function countOf(body: string): number {
  const count = /"count":(\d+)/.exec(body)?.[1];
  if (count === undefined) throw new Error(`not a page: ${body.slice(0, 100)}`);
  return Number(count);
}
