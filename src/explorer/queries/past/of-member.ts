/** The contents on which one member's role differs between two revisions. */
import type { ContentKey } from "../../../domain/content.ts";
import { compareIds } from "../../../domain/order.ts";
import type { Direction } from "../../../store/listings/access-query/difference-of.ts";
import type { Reading } from "../../../store/reading.ts";
import { type DifferenceFilter, directionOf } from "../../../store/revisions/diff/filter.ts";
import type { ChangedRecord } from "../../../store/revisions/diff/log/log.ts";
import { type DiffRow, PairRows } from "../../../store/revisions/diff/pairs.ts";
import { ContentTree } from "../../../store/revisions/diff/users/content-tree.ts";
import { subjectsOf } from "../../../store/revisions/diff/users/subjects.ts";
import { Alignment } from "../../../store/revisions/diff/walk/alignment.ts";
import { accessOf, type Changed, type Difference, isNothing, noEffect } from "./changed.ts";

/** The number of contents per step, after which the work yields to the event loop. */
const BLOCK = 100;

/** What changed for one member; `undefined` if nothing did. */
export async function differenceOf(changed: Changed, user: string): Promise<Difference | undefined> {
  const records = await recordsOf(changed, user);
  const own = records.filter(({ member }) => member === user);
  if (records.length === 0) return undefined;
  const effect = noEffect();
  for (const direction of (await differing(changed, user)).values()) effect[direction]++;
  if (own.length === 0 && isNothing(effect)) return undefined;
  return { records: own, effect };
}

/** The changed records that may affect a member. */
async function recordsOf({ sides, records }: Changed, user: string): Promise<ChangedRecord[]> {
  const teams = new Set<string>();
  for (const side of [sides.before, sides.after]) {
    for (const team of (await subjectsOf(side, [user])).get(user)?.teams ?? []) teams.add(team);
  }
  return records.filter(({ kind, member, team }) => {
    if (member !== undefined) return member === user;
    if (kind === "permission") return team !== undefined && teams.has(team);
    return kind === "collection" || kind === "space";
  });
}

async function differing(
  { sides: { before, after } }: Changed,
  user: string,
): Promise<ReadonlyMap<ContentKey, Direction>> {
  const [had, has] = [await reachOf(before, user), await reachOf(after, user)];
  const found = new Map<ContentKey, Direction>();
  for (const key of new Set([...had.keys(), ...has.keys()])) {
    const direction = directionOf(had.get(key) ?? 0, has.get(key) ?? 0);
    if (direction !== undefined) found.set(key, direction);
  }
  return found;
}

/** The rank of a member's effective role on each content; 0 is no access. */
async function reachOf(reading: Reading, user: string): Promise<ReadonlyMap<ContentKey, number>> {
  const member = (await subjectsOf(reading, [user])).get(user);
  if (member === undefined) return new Map();
  const tree = await ContentTree.of(reading);
  await tree.learn([member]);
  const ranks = tree.ranksOf(member);
  return new Map(tree.keys.map((key, place) => [key, ranks[place] ?? 0]));
}

/** The contents on which a member's role differs, by kind and id, beginning after the content key `after`. */
export async function* rowsOf(
  changed: Changed,
  user: string,
  after: string | undefined,
  filter: DifferenceFilter,
): AsyncGenerator<readonly DiffRow[]> {
  const { sides } = changed;
  const keys = [...(await differing(changed, user)).keys()]
    .filter((key) => after === undefined || compareIds(key, after) > 0)
    .sort(compareIds);
  const pairs = new PairRows(sides, accessOf(changed.records), await Alignment.of(sides), filter);
  for (let from = 0; from < keys.length; from += BLOCK) {
    yield* pairs.of(keys.slice(from, from + BLOCK), () => ({ slots: new Map(), users: [user] }));
  }
}
