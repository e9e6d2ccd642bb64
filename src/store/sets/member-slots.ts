/** The sets of a few members, from their rows: reading the sets would take longer. */
import { ROLES } from "../../domain/role.ts";
import { addSlot, type Words } from "../../sets/words.ts";
import { listedMembersAt } from "../directory/member-rows.ts";
import { encodeGrant, encodeMemberRole, MANY } from "../schema/encoding.ts";
import type { Reading } from "../reading.ts";
import { memberSets, readMemberSet } from "../schema/set-names.ts";
import type { NamedSets } from "./named-sets.ts";
import type { ChunkSlots } from "./set-store.ts";

/** What some members are in. The slot of each is its place among them; `undefined` where one is in too many sets. */
export async function readMembers(
  reading: Reading,
  sets: NamedSets,
  positions: readonly number[],
): Promise<ChunkSlots | undefined> {
  const found: (Words | undefined)[] = [];
  found.length = sets.size;
  const words = (positions.length >>> 5) + 1;
  const { roles, ofTeams, given } = placesIn(sets);
  const rows = await listedMembersAt(reading, positions);
  for (const [slot, position] of positions.entries()) {
    const row = rows.get(position);
    if (row === undefined) throw new Error(`No member has position ${position}, which a set holds.`);
    const add = (set: number | undefined) => {
      if (set !== undefined) addSlot((found[set] ??= new Uint32Array(words)), slot);
    };
    const [, , role, , , teams, grants] = row;
    if (teams === MANY || grants === MANY) return undefined;
    add(roles.get(role));
    if (ofTeams.size > 0 && teams !== "") for (const team of teams.split(" ")) add(ofTeams.get(team));
    if (given.size > 0 && grants !== "") for (const grant of grants.split(",")) add(given.get(grant));
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
