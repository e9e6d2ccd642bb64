import { contentKey } from "../../../domain/content.ts";
import { decide } from "../../../domain/ladder.ts";
import { rank, ROLES } from "../../../domain/role.ts";
import { positionAt } from "../../../sets/position.ts";
import { addAll, noSlots, removeAll, slotsFrom, type Words } from "../../../sets/words.ts";
import { contents, ladderOf } from "../../../store/directory/inheritance.ts";
import { type Member, memberOf, subjectOn } from "../../../store/directory/members.ts";
import { spacesAt } from "../../../store/directory/rows/space-rows.ts";
import { spacesQuery } from "../../../store/listings/member/member-spaces.ts";
import type { Found } from "../../../store/listings/access-query/query.ts";
import type { Reading } from "../../../store/reading.ts";
import type { Sides } from "../../../store/revisions/diff/contents/forest.ts";
import { Alignment } from "../../../store/revisions/diff/walk/alignment.ts";
import { SPACES } from "../../../store/schema/set-names.ts";
import { inBlocks, inTurns } from "../../../store/turns.ts";

const BLOCK = 500;

/**
 * The positions, at the later revision, of spaces on which a member has a role at that revision and had none at the
 * earlier one. Both revisions are folded and compared.
 */
export async function gainedSpaces(sides: Sides, user: string): Promise<number[]> {
  const { before, after } = sides;
  const now = await spacesFor(after, user);
  if (now === undefined) return [];
  const then = await spacesFor(before, user);
  const alignment = await Alignment.of(sides, SPACES);
  const found: number[] = [];
  for await (const aligned of inTurns(alignment.chunks)) {
    const { number } = aligned.chunk;
    if (!now.query.has(now.sets, number)) continue;
    const [slots = []] = await now.query.read(after, now.sets, [number]);
    const has = allIn(now.query.fold(slots));
    if (then !== undefined) removeAll(has, allIn(then.query.fold(await alignment.read(then.sets, aligned))));
    for (const slot of slotsFrom(has)) found.push(positionAt(number, slot));
  }
  return then === undefined ? found : withoutMoved(sides, then.member, found);
}

async function spacesFor(reading: Reading, user: string) {
  const member = await memberOf(reading, user);
  if (member === undefined) return undefined;
  const query = await spacesQuery(reading, member);
  return { member, query, sets: await query.sets.open(reading) };
}

function allIn({ results }: Found): Words {
  const words = noSlots();
  for (const role of ROLES) addAll(words, results[rank(role)]);
  return words;
}

/**
 * Removes spaces on which the member had a role before, at another position: a space moves to another position if its
 * creation time changes.
 */
async function withoutMoved(
  { before, after }: Sides,
  member: Member,
  positions: readonly number[],
): Promise<number[]> {
  const spaces = await spacesAt(after, positions);
  const had = new Set<number>();
  for await (const block of inBlocks(positions, BLOCK)) {
    const keys = block.map((position) => contentKey("space", spaces.get(position)?.id ?? ""));
    const loaded = await contents(before, keys);
    const ladders = keys.map((key) => {
      const content = loaded.get(key);
      return content && ladderOf(content, loaded);
    });
    const subject = await subjectOn(
      before,
      member,
      ladders.filter((ladder) => ladder !== undefined),
    );
    for (const [place, position] of block.entries()) {
      const ladder = ladders[place];
      if (ladder !== undefined && decide(ladder, subject) !== undefined) had.add(position);
    }
  }
  return positions.filter((position) => !had.has(position));
}
