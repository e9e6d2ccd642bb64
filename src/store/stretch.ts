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

type Row = [...MemberRow, teams: string, grants: string];

const MEMBERS = statement<Row>(
  () => `
    SELECT ${MEMBER_COLUMNS}, m.teams, m.grants FROM member m
      WHERE ${holds("m")} AND m.position >= $3 AND m.position < $4 ORDER BY m.position`,
);

const AT = statement<Row>(
  ({ numbers }) => `
    SELECT ${MEMBER_COLUMNS}, m.teams, m.grants FROM ${numbers("$3", "wanted")} CROSS JOIN member m
      WHERE ${holds("m")} AND m.position = wanted.value`,
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
  return stretchOf(sets, await reading.read(MEMBERS, ...reading.asOf, from, to));
}

/** The same for the members at some positions of one chunk. */
export async function readMembers(
  reading: Reading,
  sets: ChunkedSets,
  positions: readonly number[],
): Promise<Stretch | undefined> {
  return stretchOf(sets, await reading.read(AT, ...reading.asOf, positions));
}

function stretchOf(sets: ChunkedSets, members: readonly Row[]): Stretch | undefined {
  const found = Array.from<Words | undefined>({ length: sets.size });
  const add = (name: string, position: number) => {
    const place = sets.placeOf(name);
    if (place !== undefined) addSlot((found[place] ??= noSlots()), slotOf(position));
  };
  const rows = new Map<number, MemberRow>();
  for (const row of members) {
    const [position, id, role, text, omitted, teams, grants] = row;
    if (teams === MANY || grants === MANY) return undefined;
    rows.set(position, [position, id, role, text, omitted]);
    add(memberSets.withRole(decodeMemberRole(role)), position);
    for (const team of decodeTeams(teams)) add(memberSets.ofTeam(team), position);
    for (const [content, given] of decodeGrants(grants)) add(memberSets.given(content, given), position);
  }
  return { sets: found, rows };
}
