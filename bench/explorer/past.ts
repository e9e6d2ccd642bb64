/** Measures views of a past revision, compared with the same views of the current one, and lists of changes. */
import { DatabaseSync } from "node:sqlite";
import { applyChange } from "../../src/snapshot/changes/apply.ts";
import { readChange } from "../../src/snapshot/changes/read.ts";
import { openEngine } from "../../src/store/engine/open.ts";
import { changes, growing, pieces } from "../changes/records.ts";
import type { Server } from "../server/server.ts";
import type { World } from "../work/world.ts";
import { ask, beside } from "./ask.ts";

/** The number of changes between the past and the current revision, and the number of records per change. */
const CHANGES = 30;
const RECORDS = 200;

/** Requests uncached views of the earliest and of the latest revision. Changes the database. */
export async function past({ marks, token, path }: World, server: Server): Promise<string[]> {
  await grow(path);
  const revisions = revisionsOf(path);
  const [earliest, latest] = [revisions.at(-1 - CHANGES)?.revision ?? 1, revisions.at(-1)?.revision ?? 1];
  // At this time the second revision was made, so the last revision before is the earliest one.
  const since = encodeURIComponent(revisions.at(-CHANGES)?.importedAt ?? "");
  const lines: string[] = [];
  const measure = async (query: string) => {
    let failed = "";
    const { ms, longest } = await beside(server, async () => {
      await ask(server, token, `/explorer/${query}`).catch((error: unknown) => (failed = `, ${error}`));
    });
    return { ms: Math.round(ms), longest: Math.round(longest), failed };
  };
  for (const [name, query] of Object.entries(viewsOf(marks))) {
    const at = `${query}${query.includes("?") ? "&" : "?"}revision=`;
    const now = await measure(`${at}${latest}`);
    const then = await measure(`${at}${earliest}`);
    const waits = `another request waits ${Math.max(now.longest, then.longest)} ms at most`;
    lines.push(
      `as of ${CHANGES} revisions ago, ${name}: ${then.ms} ms, now ${now.ms} ms; ${waits}${now.failed}${then.failed}`,
    );
  }
  const between = `earlier=${earliest}&later=${latest}`;
  const told = {
    "first changes of a space": `changes?space=${marks.ordinaryOpenSpace}`,
    "first changes of a collection over half of the spaces": `changes?collection=${marks.halfCollection}`,
    "first changes of a member": `changes?member=${marks.ordinaryMember}`,
    "first changes of a team of a third of all": `changes?team=${marks.everyoneTeam}`,
    "who gained and lost on a space since then": `since?space=${marks.ordinaryOpenSpace}&earlier=${earliest}`,
    "who gained and lost anywhere since then": `since?earlier=${earliest}`,
    "all that differs since then, first hundred": `access?list=changes&${between}`,
    "all that differs since then, called Anna": `access?list=changes&${between}&q=anna`,
    "who lost access to the collection over half of the spaces": `access?collection=${marks.halfCollection}&tab=changes&${between}&change=lost`,
    "who differs on the collection over half of the spaces": `access?collection=${marks.halfCollection}&tab=changes&${between}`,
    "new since then, open space": `access?space=${marks.ordinaryOpenSpace}&since=${since}`,
    "new since then, site of many open spaces": `access?site=${marks.openSite}&since=${since}`,
    "new since then, direct permissions": `access?space=${marks.directSpace}&tab=people&since=${since}`,
    "new since then, an ordinary member's spaces": `access?member=${marks.ordinaryMember}&since=${since}`,
    "new since then, a team of a third of all": `access?team=${marks.everyoneTeam}&tab=members&since=${since}`,
    "new since then, all members": `access?list=members&since=${since}`,
    "new since then, closed contents": `access?list=contents&show=closed&since=${since}`,
  };
  for (const [name, query] of Object.entries(told)) {
    const { ms, longest, failed } = await measure(query);
    lines.push(`changes, ${name}: ${ms} ms; another request waits ${longest} ms at most${failed}`);
  }
  return lines;
}

function viewsOf(marks: World["marks"]): Readonly<Record<string, string>> {
  const { ordinaryOpenSpace, ordinaryClosedSpace, manyTeamsSpace, directSpace, openSite, halfCollection } =
    marks;
  return {
    "first rows, open space": `access?space=${ordinaryOpenSpace}`,
    "first rows, closed space": `access?space=${ordinaryClosedSpace}`,
    "first rows, space with a permission for every team": `access?space=${manyTeamsSpace}`,
    "first rows, space with many direct permissions": `access?space=${directSpace}`,
    "first rows, collection over half of the spaces": `access?collection=${halfCollection}`,
    "first rows, site of many open spaces": `access?site=${openSite}`,
    "first rows, an ordinary member's spaces": `access?member=${marks.ordinaryMember}`,
    "counts, open space": `counts?space=${ordinaryOpenSpace}`,
    "counts, space with a permission for every team": `counts?space=${manyTeamsSpace}`,
    "counts, site of many open spaces": `counts?site=${openSite}`,
    "guests, space with a permission for every team": `access?space=${manyTeamsSpace}&guests=only`,
    "people called Anna, open space": `access?space=${ordinaryOpenSpace}&q=anna`,
    "far away, open space": `access?space=${ordinaryOpenSpace}&from=500000`,
    "far away, space with many direct permissions": `access?space=${directSpace}&from=150000`,
    "search for a name": "search?q=anna",
    "top of the tree": "tree",
    home: "overview",
    "why, on a closed space": `why?space=${ordinaryClosedSpace}&user=${marks.ordinaryMember}`,
    "without a default level, closed space": `without?space=${ordinaryClosedSpace}&without=${encodeURIComponent(`default@space/${ordinaryClosedSpace}`)}`,
    "two members compared": `access?member=${marks.ordinaryMember}&tab=compare&with=${marks.heavyMember}`,
  };
}

async function grow(path: string): Promise<void> {
  const engine = await openEngine(`sqlite:${path}`);
  const ground = await growing(engine);
  try {
    for (let change = 0; change < CHANGES; change++) {
      const read = await readChange(
        { name: "bench", pieces: pieces(changes(ground, RECORDS)) },
        false,
        () => {},
      );
      await applyChange(engine, read, { allowRemovals: true });
    }
  } finally {
    await engine.close();
  }
}

function revisionsOf(path: string): { readonly revision: number; readonly importedAt: string }[] {
  const database = new DatabaseSync(path, { readOnly: true });
  try {
    const rows = database.prepare("SELECT revision, imported_at FROM revision ORDER BY revision").all();
    return rows.map((row) => ({ revision: Number(row["revision"]), importedAt: String(row["imported_at"]) }));
  } finally {
    database.close();
  }
}
