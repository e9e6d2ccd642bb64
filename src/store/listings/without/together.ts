/**
 * Computes roles without several sources at once. Adding up the effects of single removals would be wrong: each of two
 * sources may be redundant only as long as the other one exists.
 */
import type { ContentKey } from "../../../domain/content.ts";
import type { Effect } from "../../../domain/difference.ts";
import type { Level } from "../../../domain/ladder.ts";
import { addDifference, noDifference } from "../../../sets/difference.ts";
import { contents, ladderOf } from "../../directory/inheritance.ts";
import type { Reading } from "../../reading.ts";
import { AccessDifference, added, countsIn } from "../difference.ts";
import type { LeftOut } from "../palette.ts";
import { accessOnLadders } from "../subject.ts";
import { inTurns } from "../../turns.ts";

/** Sources to remove together. */
export interface Sources {
  /** The ids of the teams whose grants are removed, by content. */
  readonly grants: ReadonlyMap<ContentKey, ReadonlySet<string>>;
  /** Contents whose default level becomes `null`. */
  readonly closed: ReadonlySet<ContentKey>;
}

/**
 * Counts the people who lose access, get a lower or higher role, or gain access on some content if all `sources` are
 * removed. A person counts once per direction. The direct permissions in `gone` are absent before and after. Compares
 * only the contents of the sources, because contents that inherit from them affect no further people.
 */
export async function peopleWithoutAll(reading: Reading, sources: Sources, gone: LeftOut): Promise<Effect> {
  const compared: { readonly difference: AccessDifference; readonly chunks: ReadonlySet<number> }[] = [];
  const all = new Set<number>();
  for (const root of new Set([...sources.grants.keys(), ...sources.closed])) {
    const difference = await differenceOn(reading, root, sources, gone);
    const chunks = new Set(await difference.chunks());
    for (const chunk of chunks) all.add(chunk);
    compared.push({ difference, chunks });
  }
  let counts: Effect = { lost: 0, lowered: 0, raised: 0, gained: 0 };
  for (const chunk of all) {
    const differ = noDifference();
    for await (const { difference, chunks } of inTurns(compared)) {
      if (!chunks.has(chunk)) continue;
      await difference.at(chunk, ({ directions }) => addDifference(differ, directions));
    }
    counts = added(counts, countsIn(differ));
  }
  return counts;
}

async function differenceOn(
  reading: Reading,
  root: ContentKey,
  sources: Sources,
  gone: LeftOut,
): Promise<AccessDifference> {
  const loaded = await contents(reading, [root]);
  const start = loaded.get(root);
  if (start === undefined) throw new Error(`${root} is not in the revision.`);
  const ladder = ladderOf(start, loaded);
  const before = await accessOnLadders(reading, [ladder], gone);
  const after = await accessOnLadders(reading, [ladderWithoutAll(ladder, sources)], gone);
  return new AccessDifference({ reading, access: before }, { reading, access: after });
}

function ladderWithoutAll<Rung extends Level>(ladder: readonly Rung[], { grants, closed }: Sources): Rung[] {
  const levels = ladder.map((level): Rung => {
    const going = grants.get(level.content);
    const teams = new Map([...level.teams].filter(([team]) => going?.has(team) !== true));
    return { ...level, teams, ...(closed.has(level.content) ? { defaultLevel: null } : {}) };
  });
  const end = levels.findIndex(({ defaultLevel }) => defaultLevel !== "inherit");
  return end < 0 ? levels : levels.slice(0, end + 1);
}
