import type { Server } from "../server/server.ts";
import type { World } from "../work/world.ts";
import { beside } from "./ask.ts";

/** A download is stopped after this number of bytes, which is enough to compute its rate. */
const ENOUGH = 20_000_000;

/** Measures the rows per second of CSV files, and the latency of other requests meanwhile. */
export async function files({ marks, token }: World, server: Server): Promise<string[]> {
  const lists = {
    "all members": "list=members",
    "an open space": `space=${marks.ordinaryOpenSpace}`,
    "a space with many direct permissions": `space=${marks.directSpace}`,
    "a site of many spaces": `site=${marks.openSite}`,
    "the spaces of a member": `member=${marks.ordinaryMember}`,
    "the spaces of a member with many direct permissions": `member=${marks.heavyMember}`,
    "the spaces of an admin": `member=${marks.admin}`,
  };
  const lines: string[] = [];
  for (const [name, query] of Object.entries(lists)) {
    let rows = 0;
    const before = await server.sample();
    const { ms, longest } = await beside(server, async () => {
      rows = await rowsOf(server, token, query);
    });
    const cpu = ((await server.sample()).processCpu - before.processCpu) / 1000;
    const rate = (time: number) => Math.round((1000 * rows) / time).toLocaleString("en");
    lines.push(
      `file, ${name}: ${rate(ms)} rows/s of ${rows.toLocaleString("en")}, ${rate(cpu)} a second of CPU; another request waits ${Math.round(longest)} ms at most`,
    );
  }
  return lines;
}

/** Reads a CSV file up to {@link ENOUGH} bytes. Returns the number of its rows. */
async function rowsOf(server: Server, token: string, query: string): Promise<number> {
  const stop = new AbortController();
  const response = await fetch(`${server.url}/explorer/csv?${query}`, {
    headers: { authorization: `Bearer ${token}` },
    signal: stop.signal,
  });
  if (response.status !== 200 || response.body === null) throw new Error(`csv?${query}: ${response.status}`);
  // The first six lines are five header lines and the column names.
  let rows = -6;
  let bytes = 0;
  for await (const part of response.body) {
    for (const byte of part) if (byte === 10) rows++;
    bytes += part.length;
    if (bytes > ENOUGH) break;
  }
  stop.abort();
  return rows;
}
