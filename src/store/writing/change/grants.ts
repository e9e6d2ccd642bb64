/** Writes changed memberships and permissions. */
import type { ContentKey } from "../../../domain/content.ts";
import { rank, type Role, roleOf, ROLES } from "../../../domain/role.ts";
import { FOREVER } from "../../schema/as-of.ts";
import { MANY } from "../../schema/encoding.ts";
import { statement } from "../../engine/engine.ts";
import { memberSets, spaceSets } from "../../schema/set-names.ts";
import { memberPosition, type MemberLists } from "./members.ts";
import type { StoredChange } from "./record-change.ts";
import type { SetChanges } from "./sets/set-changes.ts";
import { CONTENT, MEMBER, TEAM_GRANT, TEAM_MEMBER, USER_GRANT } from "./tables/tables.ts";
import type { Writing } from "./writing.ts";

type Of<Kind extends StoredChange["kind"]> = Extract<StoredChange, { kind: Kind }>;

/** Data that changes with permissions and memberships. */
export interface Grantees {
  readonly members: SetChanges;
  readonly spaces: SetChanges;
  readonly lists: MemberLists;
}

export async function writeMemberships(
  writing: Writing,
  { members, lists }: Grantees,
  changes: readonly Of<"teamMember">[],
): Promise<void> {
  for (const { team, member, before, after } of changes) {
    const position = await memberPosition(writing, member);
    lists.touch(position);
    if (after === undefined) {
      TEAM_MEMBER.end(writing, [position, team]);
      await members.remove(memberSets.ofTeam(team), position);
      continue;
    }
    TEAM_MEMBER.put(writing, [position, team], [after]);
    if (before === undefined) await members.add(memberSets.ofTeam(team), position);
  }
}

/** The current position of a space; `undefined` for a collection. */
async function spaceOfKey(writing: Writing, content: ContentKey): Promise<number | undefined> {
  const [, , , , position = null] = (await CONTENT.read(writing, [content])) ?? [];
  return position ?? undefined;
}

/**
 * Ends removed and changed permissions, and removes them from the sets. Call it before {@link writeContents}, which
 * removes some of these sets.
 */
export async function takeGrants(
  writing: Writing,
  { members, spaces, lists }: Grantees,
  users: readonly Of<"userGrant">[],
  teams: readonly Of<"teamGrant">[],
): Promise<void> {
  for (const { content, member, before } of users) {
    if (before === undefined) continue;
    const position = await memberPosition(writing, member);
    USER_GRANT.end(writing, [position, content]);
    await members.remove(memberSets.given(content, before), position);
    lists.touch(position);
    const space = await spaceOfKey(writing, content);
    if (space !== undefined) lists.addGrant(position, { space, removed: before, added: undefined });
  }
  for (const { content, team, before } of teams) {
    if (before === undefined) continue;
    TEAM_GRANT.end(writing, [content, team]);
    const space = await spaceOfKey(writing, content);
    if (space !== undefined) await spaces.remove(spaceSets.givenToTeam(team, before), space);
  }
}

/** Writes new and changed permissions, and adds them to the sets. Call it after {@link writeContents}. */
export async function giveGrants(
  writing: Writing,
  { members, spaces, lists }: Grantees,
  users: readonly Of<"userGrant">[],
  teams: readonly Of<"teamGrant">[],
): Promise<void> {
  for (const { content, member, after } of users) {
    if (after === undefined) continue;
    const position = await memberPosition(writing, member);
    USER_GRANT.put(writing, [position, content], [rank(after)]);
    await members.add(memberSets.given(content, after), position);
    lists.touch(position);
    const space = await spaceOfKey(writing, content);
    if (space !== undefined) lists.addGrant(position, { space, removed: undefined, added: after });
  }
  for (const { content, team, after } of teams) {
    if (after === undefined) continue;
    TEAM_GRANT.put(writing, [content, team], [rank(after)]);
    const space = await spaceOfKey(writing, content);
    if (space !== undefined) await spaces.add(spaceSets.givenToTeam(team, after), space);
  }
}

const TEAMS_ON = statement<[team: string, role: number]>(
  () => `
    SELECT g.team, g.role FROM team_grant g WHERE g.generation = $1 AND g.content = $2 AND g.until = ${FOREVER}`,
);

/** Moves the unchanged permissions on a space whose position has changed, from one position to the other. */
export async function moveGrants(
  writing: Writing,
  { members, spaces, lists }: Grantees,
  space: ContentKey,
  from: number,
  to: number,
): Promise<void> {
  await TEAM_GRANT.flush(writing);
  for (const [team, role] of await writing.connection.read(TEAMS_ON, writing.generation, space)) {
    const name = spaceSets.givenToTeam(team, roleOf(role));
    await spaces.remove(name, from);
    await spaces.add(name, to);
  }
  for (const role of ROLES) await moveUsers(writing, { members, lists }, space, role, from, to);
}

async function moveUsers(
  writing: Writing,
  { members, lists }: Omit<Grantees, "spaces">,
  space: ContentKey,
  role: Role,
  from: number,
  to: number,
): Promise<void> {
  for (const position of await members.positions(memberSets.given(space, role))) {
    const [, , , grants] = (await MEMBER.read(writing, [position])) ?? [];
    if (grants !== MANY) continue;
    lists.addGrant(position, { space: from, removed: role, added: undefined });
    lists.addGrant(position, { space: to, removed: undefined, added: role });
  }
}
