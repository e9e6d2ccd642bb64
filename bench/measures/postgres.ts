/** Pages on PostgreSQL: CPU of the server and of all processes of the database. Linux only. */
import type { Bench } from "../harness/bench.ts";
import { onPostgres } from "../harness/postgres-world.ts";
import type { Put } from "../harness/result.ts";
import type { Server } from "../harness/server.ts";
import { pages } from "./pages.ts";

/** The kernel counts the CPU of other processes in hundredths of a second, so a round needs many pages. */
const MORE = 3;

export async function postgres(bench: Bench, put: Put): Promise<void> {
  await using there = await onPostgres(bench.worlds);
  const servers = new Map<string, Promise<Server>>();
  const [first, ...more] = there.worlds;
  if (first === undefined) throw new RangeError("no size was asked for");
  await pages(
    {
      ...bench,
      worlds: [first, ...more],
      pages: bench.pages * MORE,
      serverOf(world) {
        const server = servers.get(world.size) ?? there.serve(world);
        servers.set(world.size, server);
        return server;
      },
    },
    put,
    /^(open space|open collection|site|spaces of a member|users on .*|role=.*)$/,
  );
}
