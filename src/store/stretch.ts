/** The members in a row, each with what they are in: where most of them come in, this is all that a page reads. */
import { slotOf } from "../sets/position.ts";
import { addSlot, noSlots, type Words } from "../sets/words.ts";
import { holds } from "./as-of.ts";
import { decodeGrants, decodeMemberRole, decodeTeams, MANY } from "./codes.ts";
import { statement } from "./engine.ts";
import { MEMBER_COLUMNS, type MemberRow } from "./member-rows.ts";
import type { Reading } from "./reading.ts";
import { memberSets } from "./set-names.ts";
import type { ChunkedSets } from "./set-store.ts";

const MEMBERS = statement<[...MemberRow, teams: string, grants: string]>(
  () => `
    SELECT ${MEMBER_COLUMNS}, m.teams, m.grants FROM member m
      WHERE ${holds("m")} AND m.position >= $3 AND m.position < $4 ORDER BY m.position`,
);

export interface Stretch {
  /** The sets as {@link ChunkedSets.read} gives them, right only for the positions of the stretch. */
  readonly sets: readonly (Words | undefined)[];
  readonly rows: ReadonlyMap<number, MemberRow>;
}

/** The sets of a query for the members from one position up to another, of one chunk; `undefined` where one is in too many. */
export async function readStretch(
  reading: Reading,
  sets: ChunkedSets,
  from: number,
  to: number,
): Promise<Stretch | undefined> {
  const found = Array.from<Words | undefined>({ length: sets.size });
  const add = (name: string, position: number) => {
    const place = sets.placeOf(name);
    if (place !== undefined) addSlot((found[place] ??= noSlots()), slotOf(position));
  };
  const rows = new Map<number, MemberRow>();
  for (const row of await reading.read(MEMBERS, ...reading.asOf, from, to)) {
    const [position, id, role, text, omitted, teams, grants] = row;
    if (teams === MANY || grants === MANY) return undefined;
    rows.set(position, [position, id, role, text, omitted]);
    add(memberSets.withRole(decodeMemberRole(role)), position);
    for (const team of decodeTeams(teams)) add(memberSets.ofTeam(team), position);
    for (const [content, given] of decodeGrants(grants)) add(memberSets.given(content, given), position);
  }
  return { sets: found, rows };
}
