import type { Server } from "../server/server.ts";
import { look, type World } from "../work/world.ts";
import { ask, beside } from "./ask.ts";

/**
 * Measures uncached answers about differences, and the latency of other requests meanwhile: the effect of removing a
 * source, a comparison of two members, and the spaces that a team opens.
 */
export async function differences({ marks, token, path }: World, server: Server): Promise<string[]> {
  const [team = "", content = ""] = largest(path);
  const encode = encodeURIComponent;
  const grant = `without=${encode(`team/${team}@${content}`)}`;
  const half = `user/${marks.halfGuest}@collection/${marks.halfCollection}`;
  const [kind = "", id = ""] = content.split("/");
  const there = `${kind}=${encode(id)}`;
  const things = {
    "counts without the permission of the largest team": `without?${there}&${grant}`,
    "first rows without it": `access?${there}&tab=without&${grant}`,
    "guests without it": `access?${there}&tab=without&${grant}&guests=only`,
    "people called Anna without it": `access?${there}&tab=without&${grant}&q=anna`,
    "people without it, with a reason of a default level": `access?${there}&tab=without&${grant}&reason=default`,
    "contents without it": `access?list=contents&${grant}`,
    "counts without the default level of an ordinary closed space": `without?space=${marks.ordinaryClosedSpace}&without=${encode(`default@space/${marks.ordinaryClosedSpace}`)}`,
    "people without a direct permission over half of the spaces": `without?without=${encode(half)}`,
    "contents without it, first hundred": `access?list=contents&without=${encode(half)}`,
    "contents without it, first thousand": `access?list=contents&limit=1000&without=${encode(half)}`,
    "everybody on each of them, first hundred": `access?list=pairs&without=${encode(half)}`,
    "guests on each of them, first hundred": `access?list=pairs&without=${encode(half)}&guests=only`,
    "people without a team of a third of all": `without?without=${encode(`team/${marks.everyoneTeam}`)}`,
    "contents without that team": `access?list=contents&without=${encode(`team/${marks.everyoneTeam}`)}`,
    "spaces that it opens": `access?team=${marks.everyoneTeam}&tab=reach`,
    "two members": `access?member=${marks.ordinaryMember}&tab=compare&with=${marks.guest}`,
    "two members, only differences": `access?member=${marks.ordinaryMember}&tab=compare&with=${marks.guest}&differs=only`,
    "two members, one with many permissions": `access?member=${marks.ordinaryMember}&tab=compare&with=${marks.heavyMember}`,
    "one member over half of the spaces": `access?collection=${marks.halfCollection}&tab=compare&user=${marks.ordinaryMember}`,
  };
  const lines: string[] = [];
  for (const [name, query] of Object.entries(things)) {
    let failed = "";
    const { ms, longest } = await beside(server, async () => {
      await ask(server, token, `/explorer/${query}`).catch((error: unknown) => (failed = `, ${error}`));
    });
    lines.push(
      `differences, ${name}: ${Math.round(ms)} ms; another request waits ${Math.round(longest)} ms at most${failed}`,
    );
  }
  return lines;
}

/** The largest team with a permission on a collection, and that collection. */
function largest(path: string): [team: string, content: string] {
  const database = look(path);
  try {
    const row = database
      .prepare(
        `SELECT g.team, g.content FROM team_grant g JOIN team t ON t.generation = g.generation AND t.id = g.team
          WHERE g.content LIKE 'collection/%' ORDER BY t.members DESC, g.content LIMIT 1`,
      )
      .get();
    return [String(row?.["team"]), String(row?.["content"])];
  } finally {
    database.close();
  }
}
