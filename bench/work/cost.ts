import { Agent } from "node:http";
import { ask } from "../server/capture.ts";
import type { Server } from "../server/server.ts";
import { type Spread, spread } from "../figures/spread.ts";

/** Pages of one kind, whose cost is compared with that of other kinds. */
export interface Side {
  readonly name: string;
  readonly server: Pick<Server, "url" | "sample">;
  readonly token: string;
  /** The paths of the pages per round, the warm-up round first. */
  readonly rounds: readonly (readonly string[])[];
}

/** The cost of the pages of one side. */
export interface Cost {
  readonly name: string;
  /** Per round: the CPU of the server's process per page, all threads, in microseconds. */
  readonly cpu: readonly number[];
  /** Per round: the median time from the request to the last byte, one page at a time, in milliseconds. */
  readonly milliseconds: readonly number[];
  /** The rows read from the database, per page. */
  readonly rows: number;
  /** Entries per page, on average. */
  readonly items: number;
}

/**
 * Requests the pages of all sides in turn, one page at a time, after a warm-up round. A comparison of CPU needs no
 * saturated server, so few pages are enough.
 */
export async function costs(sides: readonly Side[]): Promise<Cost[]> {
  const agent = new Agent({ keepAlive: true });
  const found = sides.map(({ name }) => ({ name, cpu: [0], milliseconds: [0], rows: 0, items: 0, pages: 0 }));
  for (const each of found) {
    each.cpu = [];
    each.milliseconds = [];
  }
  const many = Math.min(...sides.map(({ rounds }) => rounds.length));
  try {
    for (let round = 0; round < many; round += 1) {
      for (const [index, side] of sides.entries()) {
        const result = found[index];
        const pages = side.rounds[round];
        if (result === undefined || pages === undefined) continue;
        const rows = await rowsRead(side.server.url);
        const begin = await side.server.sample();
        const times: number[] = [];
        let items = 0;
        for (const page of pages) {
          const asked = performance.now();
          const { body } = await ask(new URL(page, side.server.url), side.token, agent);
          times.push(performance.now() - asked);
          items += countOf(body);
        }
        const end = await side.server.sample();
        if (round === 0) continue;
        result.cpu.push((end.processCpu - begin.processCpu) / pages.length);
        result.milliseconds.push(spread(times).median);
        result.rows += (await rowsRead(side.server.url)) - rows;
        result.items += items;
        result.pages += pages.length;
      }
    }
  } finally {
    agent.destroy();
  }
  return found.map(({ pages, rows, items, ...rest }) => ({
    ...rest,
    rows: rows / pages,
    items: items / pages,
  }));
}

/** Per round: the CPU of `one` divided by that of `other`. */
export function cpuRatio(one: Cost | undefined, other: Cost | undefined): Spread {
  return ratio(one?.cpu ?? [], other?.cpu ?? []);
}

/** Divides two lists, element by element. */
export function ratio(one: readonly number[], other: readonly number[]): Spread {
  return spread(one.flatMap((value, i) => (other[i] === undefined ? [] : [value / other[i]])));
}

/** The number of entries of a page. */
export function countOf(body: string): number {
  const count = /"count":(\d+)/.exec(body)?.[1];
  if (count === undefined) throw new Error(`not a page: ${body.slice(0, 100)}`);
  return Number(count);
}

/** The number of rows that pages have read, from the server's metrics. */
async function rowsRead(url: string): Promise<number> {
  const text = await (await fetch(new URL("/metrics", url))).text();
  const rows = /^rolebook_page_rows_read_total (\d+)/m.exec(text)?.[1];
  if (rows === undefined) throw new Error("/metrics does not count rows");
  return Number(rows);
}
