/** The people whose role on one content differs between two revisions. */
import type { ContentKey } from "../../../domain/content.ts";
import { compareIds } from "../../../domain/order.ts";
import { positionAt } from "../../../sets/position.ts";
import { slotsFrom } from "../../../sets/words.ts";
import { chains } from "../../../store/directory/ancestors.ts";
import { ladderOf } from "../../../store/directory/inheritance.ts";
import type { ChangedRecord } from "../../../store/revisions/diff/log.ts";
import { type DiffRow, PairRows } from "../../../store/revisions/diff/pairs.ts";
import { positionsOf } from "../../../store/revisions/diff/walk/plan.ts";
import { Alignment } from "../../../store/revisions/diff/walk/alignment.ts";
import {
  accessOf,
  type Changed,
  diffOf,
  type Difference,
  effectOf,
  isNothing,
  isOfMember,
  noEffect,
} from "./changed.ts";

const GAINED = new Set(["gained"] as const);

/** The number of users per step, after which the work yields to the event loop. */
const BLOCK = 200;

/** The changes that may affect roles on a content. */
interface Concern {
  readonly changed: Changed;
  /** Changed records of people, of the content and of its ancestors. */
  readonly records: readonly ChangedRecord[];
  /** The users whom single-user records may affect. */
  readonly users: readonly string[];
  /** Whether other users may be affected too. */
  readonly broad: boolean;
}

/** The changes for a content; `undefined` if there are none. */
export async function differenceOn(changed: Changed, key: ContentKey): Promise<Difference | undefined> {
  const concern = await concernOn(changed, key);
  if (concern === undefined) return undefined;
  const effect = await effectOn(concern, key);
  const own = concern.records.filter((record) => !isOfMember(record));
  // Of people who joined or left, only those with a role on the content count.
  if (own.length === 0 && isNothing(effect)) return undefined;
  return { records: own, effect };
}

async function concernOn(changed: Changed, key: ContentKey): Promise<Concern | undefined> {
  const { before, after } = changed.sides;
  const ladders = await Promise.all([before, after].map((side) => chains(side, [key])));
  const levels = ladders.flatMap((loaded) => {
    const start = loaded.get(key);
    return start === undefined ? [] : ladderOf(start, loaded);
  });
  const contents = new Set(levels.map(({ content }) => content));
  const teams = new Set(levels.flatMap((level) => [...level.teams.keys()]));
  const records = changed.records.filter(({ kind, content, team }) => {
    if (kind === "teamMember") return team !== undefined && teams.has(team);
    return kind === "member" || (content !== undefined && contents.has(content));
  });
  if (records.length === 0) return undefined;
  const people = records.flatMap(({ member }) => member ?? []);
  const broad = records.some(({ member }) => member === undefined);
  return { changed, records, users: [...new Set(people)].sort(compareIds), broad };
}

async function effectOn(concern: Concern, key: ContentKey) {
  const { changed, records, broad } = concern;
  const diff = broad ? diffOf({ sides: changed.sides, records }) : undefined;
  const found = (await diff?.contents())?.find(({ content }) => content === key);
  const effect = found === undefined ? noEffect() : effectOf(found);
  // The set difference excludes users who joined, left or have another organization role.
  const apart = broad ? apartIn(records) : concern.users;
  for await (const rows of singly(concern, key, apart)) {
    for (const { direction } of rows) effect[direction]++;
  }
  return effect;
}

/** The users whom the set difference excludes. */
function apartIn(records: readonly ChangedRecord[]): string[] {
  return records.filter(isOfMember).flatMap(({ member }) => member ?? []);
}

/** The rows of single users on one content. */
async function* singly(
  { changed: { sides }, records }: Concern,
  key: ContentKey,
  users: readonly string[],
): AsyncGenerator<readonly DiffRow[]> {
  if (users.length === 0) return;
  const pairs = new PairRows(sides, accessOf(records), await Alignment.of(sides), {});
  for (let from = 0; from < users.length; from += BLOCK) {
    const block = users.slice(from, from + BLOCK);
    yield* pairs.of([key], () => ({ slots: new Map(), users: block }));
  }
}

/** The positions of users who gained access to a content. */
export async function gainedOn(changed: Changed, key: ContentKey): Promise<number[]> {
  const concern = await concernOn(changed, key);
  if (concern === undefined) return [];
  const { sides } = changed;
  const { records, broad, users } = concern;
  const found: number[] = [];
  if (broad) {
    const diff = diffOf({ sides, records }, { directions: GAINED });
    for (const slots of (await diff.slotsOn([key])).values()) {
      for (const [{ chunk }, words] of slots) {
        for (const slot of slotsFrom(words)) found.push(positionAt(chunk.number, slot));
      }
    }
  }
  const ids: string[] = [];
  for await (const rows of singly(concern, key, broad ? apartIn(records) : users)) {
    for (const { user, direction } of rows) if (direction === "gained") ids.push(user.id);
  }
  found.push(...(await positionsOf(sides.after, ids)).values());
  return found;
}

/** Everybody whose role on a content differs, by user id, from `after` on. */
export async function* rowsOn(
  changed: Changed,
  key: ContentKey,
  after: string | undefined,
): AsyncGenerator<readonly DiffRow[]> {
  const concern = await concernOn(changed, key);
  if (concern === undefined) return;
  const isBehind = (id: string) => after === undefined || compareIds(id, after) > 0;
  if (!concern.broad) {
    yield* singly(concern, key, concern.users.filter(isBehind));
    return;
  }
  const diff = diffOf({ sides: changed.sides, records: concern.records });
  for await (const { rows } of diff.pairs({ contents: [key] })) {
    yield rows.filter(({ user }) => isBehind(user.id));
  }
}
