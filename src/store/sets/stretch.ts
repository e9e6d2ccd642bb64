/** The next members, each with what they are in: where most of them come in, this is all that a page reads. */
import { ROLES } from "../../domain/role.ts";
import { slotOf } from "../../sets/position.ts";
import { addSlot, WORDS, type Words } from "../../sets/words.ts";
import type { Place } from "./chunks.ts";
import { encodeGrant, encodeMemberRole, MANY } from "../schema/encoding.ts";
import { MEMBER_COLUMNS, type MemberRow } from "../directory/member-rows.ts";
import { nextRows, positionRows, type PositionRows, rowsAt } from "../directory/position-rows.ts";
import type { Reading } from "../reading.ts";
import { MEMBERS, memberSets, readMemberSet } from "../schema/set-names.ts";
import type { ChunkSlots, NamedSets } from "./set-store.ts";

type Row = [...MemberRow, teams: string, grants: string];

const ROWS: PositionRows<Row> = positionRows(MEMBERS, `${MEMBER_COLUMNS}, t.teams, t.grants`, "member t");

/** Members in the order of their ids. The slot of each is its place among the rows. */
export interface Stretch {
  readonly slots: ChunkSlots;
  readonly rows: readonly MemberRow[];
  /** Where to go on in the chunk; `undefined` where it has no more. */
  readonly next: Place | undefined;
}

/**
 * What some members of one chunk are in, by their slots of the chunk; `undefined` where one of them is in too many sets.
 */
export async function readMembers(
  reading: Reading,
  sets: NamedSets,
  positions: readonly number[],
): Promise<ChunkSlots | undefined> {
  const rows = [...(await rowsAt(reading, ROWS, positions)).values()];
  return slotsOf(sets, rows, WORDS, ([position]) => slotOf(position));
}

/** Up to `count` members from a place on, of one chunk; `undefined` where one of them is in too many sets. */
export async function readStretch(
  reading: Reading,
  sets: NamedSets,
  from: Place,
  count: number,
): Promise<Stretch | undefined> {
  const { rows, next } = await nextRows(reading, ROWS, from, "asc", count);
  const slots = slotsOf(sets, rows, (rows.length >>> 5) + 1, (_, place) => place);
  if (slots === undefined) return undefined;
  const members = rows.map(([position, id, role, text, omitted]): MemberRow => [
    position,
    id,
    role,
    text,
    omitted,
  ]);
  return { slots, rows: members, next };
}

/** What some members are in, each with a slot of its own, in so many words. */
function slotsOf(
  sets: NamedSets,
  rows: readonly Row[],
  words: number,
  slotAt: (row: Row, place: number) => number,
): ChunkSlots | undefined {
  const found = Array.from<Words | undefined>({ length: sets.size });
  const { roles, ofTeams, given } = placesIn(sets);
  const add = (set: number | undefined, slot: number) => {
    if (set !== undefined) addSlot((found[set] ??= new Uint32Array(words)), slot);
  };
  for (const [place, row] of rows.entries()) {
    const [, , role, , , teams, grants] = row;
    if (teams === MANY || grants === MANY) return undefined;
    const slot = slotAt(row, place);
    add(roles.get(role), slot);
    if (ofTeams.size > 0 && teams !== "") for (const team of teams.split(" ")) add(ofTeams.get(team), slot);
    if (given.size > 0 && grants !== "") for (const grant of grants.split(",")) add(given.get(grant), slot);
  }
  return found;
}

/** The places of sets, by what the row of a member has for them: a role, a team, a direct permission as it is listed. */
interface RowPlaces {
  readonly roles: ReadonlyMap<number, number>;
  readonly ofTeams: ReadonlyMap<string, number>;
  readonly given: ReadonlyMap<string, number>;
}

const PLACES = new WeakMap<NamedSets, RowPlaces>();

/** Looked up as they stand in the rows: to put together the names of sets for each member would take longer. */
function placesIn(sets: NamedSets): RowPlaces {
  const known = PLACES.get(sets);
  if (known !== undefined) return known;
  const ofTeams = new Map<string, number>();
  const given = new Map<string, number>();
  for (const [place, name] of sets.names.entries()) {
    const named = readMemberSet(name);
    if (named?.team !== undefined) ofTeams.set(named.team, place);
    else if (named?.content !== undefined) given.set(encodeGrant(named.content, named.role), place);
  }
  const roles = new Map<number, number>();
  for (const role of [null, ...ROLES]) {
    const place = sets.placeOf(memberSets.withRole(role));
    if (place !== undefined) roles.set(encodeMemberRole(role), place);
  }
  const made = { roles, ofTeams, given };
  PLACES.set(sets, made);
  return made;
}
