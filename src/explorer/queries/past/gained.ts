import { EMPTY } from "../../../sets/head.ts";
import { positionAt } from "../../../sets/position.ts";
import { addAll, noSlots, removeAll, slotsFrom, type Words } from "../../../sets/words.ts";
import { type Member, subjectsOf } from "../../../store/directory/members.ts";
import type { Reading } from "../../../store/reading.ts";
import type { ChangedRecord, TwoReadings } from "../../../store/revisions/diff/log.ts";
import { Alignment, chunksIn } from "../../../store/revisions/diff/alignment.ts";
import { SideSets } from "../../../store/revisions/diff/plan.ts";
import { isRoleSet, MEMBERS, memberSets } from "../../../store/schema/set-names.ts";
import { headsOf } from "../../../store/sets/set-store.ts";
import { inBlocks, inTurns } from "../../../store/turns.ts";
import type { Audience } from "./audience.ts";

/** If more members than this changed, all sets are compared, because reading these members would cost more. */
const MANY = 10_000;

const BLOCK = 500;

/** The names of a list's sets. The list has everybody who is in at least one of these sets. */
type Names = ReadonlySet<string>;

/**
 * The positions, at the later revision, of people who are in a list at that revision and were not in it at the earlier
 * one. `records` are the changed records that can add people to the list.
 *
 * Only two kinds of people can be new: members whose own records changed, who are compared one by one, and the members
 * of sets that the list did not have at the earlier revision.
 */
export async function gainedIn(
  sides: TwoReadings,
  audience: Audience,
  records: readonly ChangedRecord[],
): Promise<number[]> {
  const { before, after } = sides;
  if (records.length === 0) return [];
  const now = await namesOf(after, audience);
  const then = await namesOf(before, audience);
  const users = new Set(records.flatMap(({ member }) => member ?? []));
  if (users.size > MANY) return addedIn(sides, now, then);
  const added = new Set([...now].filter((name) => !then.has(name)));
  const found = new Set(await addedIn(sides, added, then));
  for await (const block of inBlocks([...users], BLOCK)) {
    const [had, has] = [await subjectsOf(before, block), await subjectsOf(after, block)];
    for (const [id, member] of has) {
      if (isIn(now, member) && !isIn(then, had.get(id))) found.add(member.position);
    }
  }
  return [...found];
}

async function namesOf(reading: Reading, audience: Audience): Promise<Names> {
  return (await audience.access(reading))?.names ?? new Set();
}

function isIn(names: Names, member: Member | undefined): boolean {
  if (member === undefined) return false;
  if (names.has(memberSets.withRole(member.role))) return true;
  if (member.teams.some((team) => names.has(memberSets.ofTeam(team)))) return true;
  for (const [content, role] of member.direct) if (names.has(memberSets.given(content, role))) return true;
  return false;
}

/**
 * The positions that the sets `added` have at the later revision, without those that the sets `then` had at the earlier
 * one.
 */
async function addedIn(sides: TwoReadings, added: Names, then: Names): Promise<number[]> {
  if (added.size === 0) return [];
  const { before, after } = sides;
  const alignment = await Alignment.of(sides);
  const { sets, chunks } = await open(after, [...added]);
  // Most people are in the sets of organization roles, so subtracting these sets first often leaves nobody.
  const earlier = [
    await open(before, [...then].filter(isRoleSet)),
    await open(
      before,
      [...then].filter((name) => !isRoleSet(name)),
    ),
  ];
  const found: number[] = [];
  for await (const aligned of inTurns(alignment.chunks)) {
    const { number } = aligned.chunk;
    if (!chunks.has(number)) continue;
    const slots = unionOf(await sets.read(after, number));
    for (const { sets: had } of earlier) {
      if (isNone(slots)) break;
      removeAll(slots, unionOf(await alignment.read(had, aligned)));
    }
    for (const slot of slotsFrom(slots)) found.push(positionAt(number, slot));
  }
  return found;
}

/** Opens sets at one revision, and lists the chunks in which they have positions. */
async function open(reading: Reading, names: readonly string[]) {
  const heads = await headsOf(reading, MEMBERS, names);
  const sets = new SideSets(names, new Map(names.map((name, place) => [name, heads[place] ?? EMPTY])));
  return { sets, chunks: new Set(heads.flatMap((head) => [...chunksIn(head)])) };
}

function unionOf(sets: readonly (Words | undefined)[]): Words {
  const all = noSlots();
  for (const words of sets) addAll(all, words);
  return all;
}

function isNone(words: Words): boolean {
  return words.every((word) => word === 0);
}
