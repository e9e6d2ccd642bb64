import { launch } from "../../test/parts/browser.ts";
import type { Server } from "../server/server.ts";
import type { World } from "../work/world.ts";

/** Measures the time from a click to the first rows on the screen, in a browser on the same machine. */
export async function rows({ marks, token }: World, server: Server): Promise<string[]> {
  const things = {
    "open space": `?space=${marks.ordinaryOpenSpace}`,
    "closed space": `?space=${marks.ordinaryClosedSpace}`,
    "space with many direct permissions": `?space=${marks.directSpace}`,
    "space with a permission for every team": `?space=${marks.manyTeamsSpace}`,
    "space where nearly everyone is outranked": `?space=${marks.sparse.space}`,
    "collection over half of the spaces": `?collection=${marks.halfCollection}`,
    "site of many spaces": `?site=${marks.openSite}`,
    "member with many direct permissions": `?member=${marks.heavyMember}`,
    "guest with three spaces": `?member=${marks.guest}`,
    "team of a third of all": `?team=${marks.everyoneTeam}&tab=members`,
    "all members": "?members",
  };
  const browser = await launch();
  try {
    const page = await browser.newPage({ viewport: { width: 1440, height: 900 } });
    await page.goto(server.url);
    await page.getByLabel("Access token").fill(token);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("treeitem").first().waitFor();
    const lines: string[] = [];
    for (const [name, query] of Object.entries(things)) {
      const ms = await page.evaluate<number>(`(async () => {
        const frame = () => new Promise(requestAnimationFrame);
        const before = document.querySelector("tbody tr[data-row]");
        const link = document.querySelector(".brand");
        const begin = performance.now();
        history.pushState({ key: begin }, "", ${JSON.stringify(query)});
        dispatchEvent(new PopStateEvent("popstate", { state: { key: begin } }));
        while (document.querySelector("tbody tr[data-row]") === null || (before !== null && before.isConnected)) {
          await frame();
          if (performance.now() - begin > 60_000) return -1;
        }
        await frame();
        return performance.now() - begin;
      })()`);
      lines.push(`first rows, ${name}: ${ms < 0 ? "none in a minute" : `${Math.round(ms)} ms`}`);
    }
    return lines;
  } finally {
    await browser.close();
  }
}
