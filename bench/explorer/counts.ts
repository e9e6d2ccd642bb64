import type { Server } from "../server/server.ts";
import type { World } from "../work/world.ts";
import { ask, beside } from "./ask.ts";

/** Measures the role counts of the largest subjects, uncached, and the latency of other requests meanwhile. */
export async function counts({ marks, token }: World, server: Server): Promise<string[]> {
  const things = {
    "space with many direct permissions": `space=${marks.directSpace}`,
    "space with a permission for every team": `space=${marks.manyTeamsSpace}`,
    "space where nearly everyone is outranked": `space=${marks.sparse.space}`,
    "open space": `space=${marks.ordinaryOpenSpace}`,
    "collection over half of the spaces": `collection=${marks.halfCollection}`,
    "site of open spaces": `site=${marks.openSite}`,
    "site of closed spaces": `site=${marks.closedSite}`,
    "member with many direct permissions": `member=${marks.heavyMember}`,
    "ordinary member": `member=${marks.ordinaryMember}`,
  };
  const lines: string[] = [];
  for (const [name, query] of Object.entries(things)) {
    let text = "";
    const { ms, longest } = await beside(server, async () => {
      ({ text } = await ask(server, token, `/explorer/counts?${query}`));
    });
    const { roles }: { roles: Record<string, number> } = JSON.parse(text);
    const sum = Object.values(roles).reduce((total, some) => total + some, 0);
    lines.push(
      `counts, ${name}: ${Math.round(ms)} ms for ${sum.toLocaleString("en")}; another request waits ${Math.round(longest)} ms at most`,
    );
  }
  return lines;
}
