import * as fc from "fast-check";
import { expect, test } from "vitest";
import { decide, type Ladder, type Subject } from "../../src/domain/ladder.ts";
import { rank, ROLES } from "../../src/domain/role.ts";
import type { Slots } from "../../src/sets/slots.ts";
import { addSlot, hasSlot, noSlots } from "../../src/sets/words.ts";
import { type AccessQuery, openQuery } from "../../src/store/listings/access-query/query.ts";
import { memberSets, readMemberSet } from "../../src/store/schema/set-names.ts";
import { sites, subjects } from "./random-ladders.ts";

/** Members with their slots, which are in more than one word of a bitmap. */
const members = fc.uniqueArray(fc.tuple(fc.nat(100), subjects), {
  maxLength: 30,
  selector: ([slot]) => slot,
});

test("a fold of several ladders gives each member the highest role, and the first ladder that gives it", () => {
  fc.assert(
    fc.property(sites, members, fc.array(fc.boolean(), { minLength: 60 }), (ladders, drawn, forms) => {
      const query = openQuery(ladders);
      const { results, ladderOf } = query.fold(setsOf(query, drawn, forms));
      for (const [slot, member] of drawn) {
        const held = results.findLastIndex((words) => words !== undefined && hasSlot(words, slot));
        const expected = highest(ladders, member);
        expect(Math.max(0, held)).toBe(expected.rank);
        expect(results.filter((words) => words !== undefined && hasSlot(words, slot))).toHaveLength(
          expected.rank === 0 ? 0 : 1,
        );
        if (expected.rank > 0) expect(ladderOf(slot, held)?.levels).toBe(expected.ladder);
      }
    }),
    { numRuns: 500 },
  );
});

function highest(ladders: readonly Ladder[], member: Subject): { rank: number; ladder: Ladder | undefined } {
  let best: { rank: number; ladder: Ladder | undefined } = { rank: 0, ladder: undefined };
  for (const ladder of ladders) {
    const decision = decide(ladder, member);
    if (decision !== undefined && rank(decision.role) > best.rank)
      best = { rank: rank(decision.role), ladder };
  }
  return best;
}

/** The sets of a query, some as bitmaps and some as lists. */
function setsOf(
  { sets }: AccessQuery,
  drawn: readonly (readonly [number, Subject])[],
  forms: readonly boolean[],
): (Slots | undefined)[] {
  return sets.names.map((name, place) => {
    const slots = drawn.filter(([, member]) => isIn(name, member)).map(([slot]) => slot);
    if (slots.length === 0) return undefined;
    if (forms[place] === true) return Uint16Array.from(slots.toSorted((a, b) => a - b));
    const words = noSlots();
    for (const slot of slots) addSlot(words, slot);
    return words;
  });
}

function isIn(name: string, { role, teams, direct }: Subject): boolean {
  const named = readMemberSet(name);
  if (named?.team !== undefined) return teams.includes(named.team);
  if (named?.content !== undefined)
    return [...direct].some(([content, held]) => content === named.content && held === named.role);
  return [null, ...ROLES].some((each) => each === role && memberSets.withRole(each) === name);
}
