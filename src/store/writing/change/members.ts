/** Writes changed members, the sets of their organization roles, and the teams and permissions in their rows. */
import { userDocument } from "../../../domain/document.ts";
import { type Role, roleOf, ROLES } from "../../../domain/role.ts";
import type { RecordChange } from "../../../domain/record-change.ts";
import { DROP_REPEATED, FOREVER } from "../../schema/as-of.ts";
import { decodeContent, decodeMemberRole, MANY, MOST_LISTED } from "../../schema/encoding.ts";
import { statement } from "../../engine/engine.ts";
import { MEMBERS, memberSets, spaceSets } from "../../schema/set-names.ts";
import { positionOfKey, assignPositions } from "./positions.ts";
import type { SetChanges } from "./sets.ts";
import { splitChunk } from "./split.ts";
import { CONTENT, MEMBER, TEAM_MEMBER, USER_GRANT, type Writing } from "./tables.ts";

/** What changes of a member: the membership, the document of the user, or both. */
export interface MemberChange {
  readonly member: string;
  readonly membership?: RecordChange;
  readonly user?: RecordChange;
}

/** Combines members and users, which are two kinds of records and one row. */
export function memberChanges(records: readonly RecordChange[]): MemberChange[] {
  const found = new Map<string, MemberChange>();
  for (const record of records) {
    const { kind, member } = record;
    if (member === undefined || (kind !== "member" && kind !== "user")) continue;
    const known = found.get(member) ?? { member };
    found.set(member, { ...known, ...(kind === "user" ? { user: record } : { membership: record }) });
  }
  return [...found.values()];
}

/** The columns of a user's document. */
function documentOf(text = ""): [doc: string, omitted: number] {
  return [text, userDocument(JSON.parse(text)).omitted];
}

/** Assigns positions to new members, and writes their rows. */
export async function addMembers(
  writing: Writing,
  members: SetChanges,
  changes: readonly MemberChange[],
): Promise<void> {
  const joining = new Map(
    changes.filter(({ membership }) => joins(membership)).map((change) => [change.member, change]),
  );
  await assignPositions(
    writing,
    MEMBERS,
    [...joining.keys()],
    (chunk, newcomer) => splitChunk(writing, members, MEMBERS, chunk, newcomer),
    (id, position) => {
      const { membership, user } = joining.get(id) ?? {};
      const row = [id, Number(membership?.becomes), "", "", ...documentOf(user?.becomes)] as const;
      MEMBER.put(writing, [position], [...row]);
    },
  );
}

function joins(membership: RecordChange | undefined): boolean {
  return membership !== undefined && membership.was === undefined;
}

const REPEATED = statement<never>(() => DROP_REPEATED);

/** Removes the documents of rows that this change ended, if the next row has the same document. */
export async function dropRepeated(writing: Writing): Promise<void> {
  await MEMBER.flush(writing);
  const { connection, generation, revision } = writing;
  await connection.write(REPEATED, generation, revision);
}

/** The position of a current or former member. Throws an Error if the user never had one. */
export async function memberPosition(writing: Writing, member = ""): Promise<number> {
  const position = await positionOfKey(writing, MEMBERS, member);
  if (position === undefined) throw new Error(`Member ${JSON.stringify(member)} has no position.`);
  return position;
}

/** Writes the rows of changed members, and the sets of their organization roles. */
export async function writeMembers(
  writing: Writing,
  members: SetChanges,
  changes: readonly MemberChange[],
): Promise<void> {
  for (const { member, membership, user } of changes) {
    const position = await memberPosition(writing, member);
    const { was, becomes } = membership ?? {};
    if (was !== undefined) await members.remove(setWithRole(was), position);
    if (becomes !== undefined) await members.add(setWithRole(becomes), position);
    // The row of a new member was written with the position. The row of a removed one ends with its lists.
    if (membership !== undefined && (was === undefined || becomes === undefined)) continue;
    const row = await MEMBER.read(writing, [position]);
    if (row === undefined) throw new Error(`Member ${JSON.stringify(member)} has no row.`);
    const [, role, teams, grants, ...document] = row;
    const [doc, omitted] = user === undefined ? document : documentOf(user.becomes);
    const after = becomes === undefined ? role : Number(becomes);
    MEMBER.put(writing, [position], [member, after, teams, grants, doc, omitted]);
  }
}

/** The name of the set of members with an organization role, given as the log has it. */
export function setWithRole(role: string): string {
  return memberSets.withRole(decodeMemberRole(Number(role)));
}

/**
 * The teams of each member. Reads at most {@link MOST_LISTED} + 1 teams per member: one too many shows that a row
 * cannot list them.
 */
const TEAMS = statement<[position: number, teams: string | null]>(
  ({ numbers }) => `
    SELECT wanted.value, (
        SELECT string_agg(listed.team, ' ') FROM (
          SELECT t.team FROM team_member t
            WHERE t.generation = $1 AND t.position = wanted.value AND t.until = ${FOREVER}
            ORDER BY t.team LIMIT ${MOST_LISTED + 1}) listed)
      FROM ${numbers("$2", "wanted")}`,
);
const GRANTS = statement<[position: number, content: string, role: number]>(
  ({ numbers, lookUp }) => `
    SELECT g.position, g.content, g.role FROM ${lookUp(
      numbers("$2", "wanted"),
      "user_grant",
      "g",
      `g.generation = $1 AND g.position = wanted.value AND g.until = ${FOREVER}`,
    )} ORDER BY g.position, g.content`,
);

/** A direct permission that was added to or removed from a space. `space` is the position of the space. */
export interface SpaceGrant {
  readonly space: number;
  readonly removed: Role | undefined;
  readonly added: Role | undefined;
}

/**
 * Updates what depends on the teams and permissions of members: the lists in their rows and, for members with very many
 * permissions, their sets of spaces.
 */
export class MemberLists {
  readonly #grants = new Map<number, SpaceGrant[]>();

  /** Records that the teams or permissions of a member have changed. */
  touch(position: number): void {
    this.#grantsOf(position);
  }

  /** Records an added or removed permission of a member on a space. */
  addGrant(position: number, grant: SpaceGrant): void {
    this.#grantsOf(position).push(grant);
  }

  /** Writes the lists of all recorded members, and ends the rows of removed members (`gone`). */
  async write(writing: Writing, spaces: SetChanges, gone: ReadonlySet<number>): Promise<void> {
    for (const position of gone) this.touch(position);
    const positions = [...this.#grants.keys()];
    await MEMBER.load(
      writing,
      positions.map((position) => [position]),
    );
    const grants = await grantsOf(writing, positions);
    const teams = await teamsOf(writing, positions);
    for (const [position, changed] of this.#grants) {
      const row = await MEMBER.read(writing, [position]);
      if (row === undefined) continue;
      const [id, role, , grantsBefore, doc, omitted] = row;
      const isGone = gone.has(position);
      const held = isGone ? [] : (grants.get(position) ?? []);
      const isMany = held.length > MOST_LISTED;
      if (grantsBefore === MANY && isMany) await adjust(spaces, id, changed);
      else if (grantsBefore === MANY) await forget(spaces, id);
      else if (isMany) await gather(writing, spaces, id, held);
      if (isGone) {
        MEMBER.end(writing, [position]);
        continue;
      }
      const listedTeams = teams.get(position) ?? "";
      const listedGrants = isMany ? MANY : held.map(([, content, given]) => `${content} ${given}`).join(",");
      MEMBER.put(writing, [position], [id, role, listedTeams, listedGrants, doc, omitted]);
    }
  }

  #grantsOf(position: number): SpaceGrant[] {
    const known = this.#grants.get(position) ?? [];
    this.#grants.set(position, known);
    return known;
  }
}

type HeldGrant = [position: number, content: string, role: number];

async function grantsOf(writing: Writing, positions: readonly number[]): Promise<Map<number, HeldGrant[]>> {
  await USER_GRANT.flush(writing);
  const { connection, generation } = writing;
  return Map.groupBy(await connection.read(GRANTS, generation, positions), ([position]) => position);
}

/** The teams of members, by position, as their rows list them. */
async function teamsOf(writing: Writing, positions: readonly number[]): Promise<Map<number, string>> {
  await TEAM_MEMBER.flush(writing);
  const { connection, generation } = writing;
  const rows = await connection.read(TEAMS, generation, positions);
  return new Map(
    rows.map(([position, teams]) => {
      const listed = teams ?? "";
      return [position, listed.split(" ").length > MOST_LISTED ? MANY : listed];
    }),
  );
}

async function adjust(spaces: SetChanges, user: string, changed: readonly SpaceGrant[]): Promise<void> {
  for (const { space, removed } of changed) {
    if (removed !== undefined) await spaces.remove(spaceSets.givenToUser(user, removed), space);
  }
  for (const { space, added } of changed) {
    if (added !== undefined) await spaces.add(spaceSets.givenToUser(user, added), space);
  }
}

async function forget(spaces: SetChanges, user: string): Promise<void> {
  for (const role of ROLES) {
    const name = spaceSets.givenToUser(user, role);
    const all = [...(await spaces.all(name))].map(([chunk, words]) => [chunk, words.slice()] as const);
    await spaces.removeAll(name, new Map(all));
  }
}

async function gather(
  writing: Writing,
  spaces: SetChanges,
  user: string,
  held: readonly HeldGrant[],
): Promise<void> {
  for (const [, content, role] of held) {
    const [, , , , position = null] = (await CONTENT.read(writing, [decodeContent(content)])) ?? [];
    if (position !== null) await spaces.add(spaceSets.givenToUser(user, roleOf(role)), position);
  }
}
