import type { Server } from "../server/server.ts";
import type { World } from "../work/world.ts";
import { ask, beside } from "./ask.ts";

/**
 * Measures filtered lists that are not cached, their first rows and rows far below: time, CPU, and the latency of other
 * requests meanwhile.
 */
export async function filters({ marks, token }: World, server: Server): Promise<string[]> {
  const lists = {
    "open space": `space=${marks.ordinaryOpenSpace}`,
    "space with a permission for every team": `space=${marks.manyTeamsSpace}`,
    "space with many direct permissions": `space=${marks.directSpace}`,
    "site of many open spaces": `site=${marks.openSite}`,
    "ordinary site": `site=${marks.ordinarySite}`,
  };
  const narrowings = {
    "direct permissions": "reason=direct",
    "through teams": "reason=team",
    "by default level": "reason=default",
    guests: "guests=only",
    "guests with edit or stronger": "guests=only&least=edit",
    "people called Anna": "q=anna",
    "far away": "from=400000",
    "farther away": "from=500000",
  };
  const lines: string[] = [];
  for (const [list, query] of Object.entries(lists)) {
    for (const [name, narrowing] of Object.entries(narrowings)) {
      const before = await server.sample();
      const { ms, longest } = await beside(server, async () => {
        await ask(server, token, `/explorer/access?${query}&${narrowing}`);
      });
      const cpu = ((await server.sample()).processCpu - before.processCpu) / 1000;
      lines.push(
        `${name}, ${list}: ${Math.round(ms)} ms, ${Math.round(cpu)} ms of CPU; another request waits ${Math.round(longest)} ms at most`,
      );
    }
  }
  return lines;
}
