/** The contents on which one member's role differs between two revisions. */
import { compareIds } from "../../../domain/id.ts";
import type { DifferenceFilter } from "../../../store/revisions/diff/filter.ts";
import { type ChangedRecord, compareCauses } from "../../../store/revisions/diff/log.ts";
import { type DiffRow, PairRows } from "../../../store/revisions/diff/pairs.ts";
import { subjectsOf } from "../../../store/directory/members.ts";
import { UsersApart, userCauses } from "../../../store/revisions/diff/users.ts";
import { Alignment } from "../../../store/revisions/diff/alignment.ts";
import { accessOf, type Changed, type Difference, noEffect } from "./changed.ts";

/** The number of contents per step, after which the work yields to the event loop. */
const BLOCK = 100;

/** What changed for one member: their own records, and the causes of their differences; `undefined` if nothing did. */
export async function differenceOf(changed: Changed, user: string): Promise<Difference | undefined> {
  const records = await recordsOf(changed, user);
  if (records.length === 0) return undefined;
  const effect = noEffect();
  const found = new Set(records.filter(({ member }) => member === user));
  const apart = new UsersApart(changed.sides, {});
  for await (const both of apart.of([user])) {
    const causesAt = userCauses(changed.sides, await apart.trees(), accessOf(records), both);
    both.compare((index, direction) => {
      effect[direction]++;
      for (const cause of causesAt(index)) found.add(cause);
    });
  }
  if (found.size === 0) return undefined;
  return { records: [...found].sort(compareCauses), effect };
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

/** The contents on which a member's role differs, by kind and id, beginning after the content key `after`. */
export async function* rowsOf(
  changed: Changed,
  user: string,
  after: string | undefined,
  filter: DifferenceFilter,
): AsyncGenerator<readonly DiffRow[]> {
  const { sides } = changed;
  const differing = (await new UsersApart(sides, filter).contentsOf([user])).get(user) ?? [];
  const keys = differing.filter((key) => after === undefined || compareIds(key, after) > 0).sort(compareIds);
  const pairs = new PairRows(sides, accessOf(changed.records), await Alignment.of(sides), filter);
  for (let from = 0; from < keys.length; from += BLOCK) {
    yield* pairs.of(keys.slice(from, from + BLOCK), () => ({ slots: new Map(), users: [user] }));
  }
}
