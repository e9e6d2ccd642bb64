/** The people whose role on one content differs between two revisions. */
import type { ContentKey } from "../../../domain/content.ts";
import { compareIds } from "../../../domain/id.ts";
import { chains } from "../../../store/directory/ancestors.ts";
import { ladderOf } from "../../../store/directory/inheritance.ts";
import { type ChangedRecord, compareCauses } from "../../../store/revisions/diff/log.ts";
import { type DiffRow, PairRows } from "../../../store/revisions/diff/pairs.ts";
import type { DifferenceFilter } from "../../../store/revisions/diff/filter.ts";
import { Alignment } from "../../../store/revisions/diff/alignment.ts";
import {
  accessOf,
  type Changed,
  diffOf,
  type Difference,
  effectOf,
  isOfMember,
  noEffect,
} from "./changed.ts";

/** The number of users per step, after which the work yields to the event loop. */
const BLOCK = 200;

/** The changes that may affect roles on a content. */
interface Concern {
  readonly changed: Changed;
  /** See {@link recordsOn}. */
  readonly records: readonly ChangedRecord[];
  /** The users whose own records changed, by id. */
  readonly users: readonly string[];
  /** Whether other records changed too. They may affect any user. */
  readonly broad: boolean;
}

/**
 * What changed for one content: the records of the content and of those above, of teams and of permissions, and the
 * members because of whom a role on the content differs; `undefined` if nothing did.
 */
export async function differenceOn(changed: Changed, key: ContentKey): Promise<Difference | undefined> {
  const concern = await concernOn(changed, key);
  if (concern === undefined) return undefined;
  const { effect, causes } = await effectOn(concern, key);
  const found = new Set([...concern.records.filter((record) => !isOfMember(record)), ...causes]);
  if (found.size === 0) return undefined;
  return { records: [...found].sort(compareCauses), effect };
}

async function concernOn(changed: Changed, key: ContentKey): Promise<Concern | undefined> {
  const records = await recordsOn(changed, [key]);
  if (records.length === 0) return undefined;
  const people = records.flatMap(({ member }) => member ?? []);
  const broad = records.some(({ member }) => member === undefined);
  return { changed, records, users: [...new Set(people)].sort(compareIds), broad };
}

/**
 * The changed records that can change roles on the given contents: those of members, of the contents and the ancestors
 * from which they inherit, and of teams with a permission on any of these.
 */
export async function recordsOn(
  { sides: { before, after }, records }: Changed,
  keys: readonly ContentKey[],
): Promise<ChangedRecord[]> {
  const contents = new Set<ContentKey>();
  const teams = new Set<string>();
  for (const side of [before, after]) {
    const loaded = await chains(side, keys);
    const starts = keys.flatMap((key) => loaded.get(key) ?? []);
    for (const { content, teams: given } of starts.flatMap((start) => ladderOf(start, loaded))) {
      contents.add(content);
      for (const team of given.keys()) teams.add(team);
    }
  }
  return records.filter(({ kind, content, team }) => {
    if (kind === "teamMember") return team !== undefined && teams.has(team);
    return kind === "member" || (content !== undefined && contents.has(content));
  });
}

/** The effect on a content, and the causes for the users who are decided one by one. */
async function effectOn(concern: Concern, key: ContentKey) {
  const { changed, records, broad } = concern;
  const diff = broad ? diffOf({ sides: changed.sides, records }) : undefined;
  const found = (await diff?.contents())?.find(({ content }) => content === key);
  const effect = found === undefined ? noEffect() : effectOf(found);
  // `diff` does not count users who joined, left or have another organization role.
  const apart = broad ? apartIn(records) : concern.users;
  const causes = new Set<ChangedRecord>();
  for await (const rows of singly(concern, key, apart)) {
    for (const { direction, causes: some } of rows) {
      effect[direction]++;
      for (const cause of some) causes.add(cause);
    }
  }
  return { effect, causes };
}

/** Users who joined, left or have another organization role. */
function apartIn(records: readonly ChangedRecord[]): string[] {
  return records.filter(isOfMember).flatMap(({ member }) => member ?? []);
}

/** The rows of the given users on one content, decided one by one. */
async function* singly(
  { changed: { sides }, records }: Concern,
  key: ContentKey,
  users: readonly string[],
  filter: DifferenceFilter = {},
): AsyncGenerator<readonly DiffRow[]> {
  if (users.length === 0) return;
  const pairs = new PairRows(sides, accessOf(records), await Alignment.of(sides), filter);
  for (let from = 0; from < users.length; from += BLOCK) {
    const block = users.slice(from, from + BLOCK);
    yield* pairs.of([key], () => ({ slots: new Map(), users: block }));
  }
}

/**
 * Everybody whose role on a content differs, by user id, beginning after the user id `after`. With `team`, only people
 * whom changed records of this team affect, without those who joined, left or have another organization role.
 */
export async function* rowsOn(
  changed: Changed,
  key: ContentKey,
  after: string | undefined,
  { team, ...filter }: DifferenceFilter & { readonly team?: string | undefined },
): AsyncGenerator<readonly DiffRow[]> {
  const concern = await concernOn(changed, key);
  if (concern === undefined) return;
  const { records, broad, users } = concern;
  const isBehind = (id: string) => after === undefined || compareIds(id, after) > 0;
  if (!broad && team === undefined) {
    yield* singly(concern, key, users.filter(isBehind), filter);
    return;
  }
  const apart = new Set(team === undefined ? [] : apartIn(records));
  const causedBy = team === undefined ? undefined : (record: ChangedRecord) => record.team === team;
  const diff = diffOf({ sides: changed.sides, records }, { ...filter, causedBy });
  for await (const { rows } of diff.pairs({ contents: [key] })) {
    yield rows.filter(({ user }) => isBehind(user.id) && !apart.has(user.id));
  }
}
