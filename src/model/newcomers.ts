/** Who and what is in a list and was not in that of an earlier state, or had a lower role there. */
import { alignPeople } from "./aligned.ts";
import { findContent, findMember, keyOf, memberId, type Model, NOTHING } from "./model.ts";
import { ABSENT } from "./numbering.ts";
import { ROLE } from "./code.ts";
import { type ListSubject, recoded, sheetOf } from "./sheets.ts";
import { byCreation } from "./spaces.ts";

const PEOPLE_A_TURN = 50_000;

/**
 * The members of a list of the later state, by ascending number, who were not in the list of the earlier state, or had a
 * lower role there. Without the earlier list, all are new.
 */
export function* newOrRisen(
  before: Model,
  after: Model,
  had: ListSubject | undefined,
  has: ListSubject,
): Generator<void, Uint32Array> {
  const now = yield* ranksOf(after, has);
  const then = had === undefined ? new Uint8Array(before.members.count) : yield* ranksOf(before, had);
  const people = yield* alignPeople(before, after);
  const found: number[] = [];
  for (let person = 0; person < people.count; person++) {
    const [p, q] = [people.was[person] ?? ABSENT, people.now[person] ?? ABSENT];
    if (q !== ABSENT && (now[q] ?? 0) > (p === ABSENT ? 0 : (then[p] ?? 0))) found.push(q);
    if (person % PEOPLE_A_TURN === PEOPLE_A_TURN - 1) yield;
  }
  return Uint32Array.from(found);
}

/** What may rise, by member: 0 for who is not in the list. A guest who becomes a member rises. */
function* ranksOf(model: Model, subject: ListSubject): Generator<void, Uint8Array> {
  if (subject.of === "organization") return recoded(model.members.roles, (role) => role + 1);
  const { codes } = yield* sheetOf(model, subject);
  return recoded(codes, (code) => code & ROLE);
}

/**
 * The places by creation, ascending, of the spaces on which a member has a role, and had none or a lower one in the
 * earlier state.
 */
export function* newOrRisenSpaces(before: Model, after: Model, member: number): Generator<void, Uint32Array> {
  const now = (yield* sheetOf(after, { of: "spaces", member })).codes;
  const earlier = findMember(before, memberId(after, member));
  const then =
    earlier === undefined ? undefined : (yield* sheetOf(before, { of: "spaces", member: earlier })).codes;
  const { order } = byCreation(after);
  const { places } = byCreation(before);
  const rankThen = (place: number): number => {
    const content = then && findContent(before, keyOf(after, order[place] ?? 0));
    return content === undefined ? NOTHING : (then?.[places[content] ?? 0] ?? NOTHING) & ROLE;
  };
  const held = Uint32Array.from(now.keys()).filter((place) => now[place] !== NOTHING);
  yield;
  const found: number[] = [];
  for (const [nth, place] of held.entries()) {
    if (((now[place] ?? NOTHING) & ROLE) > rankThen(place)) found.push(place);
    if (nth % SPACES_A_TURN === SPACES_A_TURN - 1) yield;
  }
  return Uint32Array.from(found);
}

const SPACES_A_TURN = 500;
