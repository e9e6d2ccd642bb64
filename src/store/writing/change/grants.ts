/** Writes changed memberships and permissions. */
import type { ContentKey } from "../../../domain/content.ts";
import { rank, type Role, roleOf, ROLES } from "../../../domain/role.ts";
import { FOREVER } from "../../schema/as-of.ts";
import { contentIn, type RecordChange } from "../../../domain/record-change.ts";
import { MANY } from "../../schema/encoding.ts";
import { statement } from "../../engine/engine.ts";
import { memberSets, spaceSets } from "../../schema/set-names.ts";
import { memberPosition, type MemberLists } from "./members.ts";
import type { SetChanges } from "./sets.ts";
import { CONTENT, MEMBER, TEAM_GRANT, TEAM_MEMBER, USER_GRANT, type Writing } from "./tables.ts";

/** Data that changes with permissions and memberships. */
export interface Grantees {
  readonly members: SetChanges;
  readonly spaces: SetChanges;
  readonly lists: MemberLists;
}

export async function writeMemberships(
  writing: Writing,
  { members, lists }: Grantees,
  changes: readonly RecordChange[],
): Promise<void> {
  for (const { team = "", member = "", was, becomes } of changes) {
    const position = await memberPosition(writing, member);
    lists.touch(position);
    if (becomes === undefined) {
      TEAM_MEMBER.end(writing, [position, team]);
      await members.remove(memberSets.ofTeam(team), position);
      continue;
    }
    TEAM_MEMBER.put(writing, [position, team], [becomes]);
    if (was === undefined) await members.add(memberSets.ofTeam(team), position);
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
  grants: readonly RecordChange[],
): Promise<void> {
  for (const grant of grants) {
    if (grant.was === undefined) continue;
    const removed = roleOf(Number(grant.was));
    const content = contentIn(grant);
    const space = await spaceOfKey(writing, content);
    if (grant.team !== undefined) {
      TEAM_GRANT.end(writing, [content, grant.team]);
      if (space !== undefined) await spaces.remove(spaceSets.givenToTeam(grant.team, removed), space);
      continue;
    }
    const position = await memberPosition(writing, grant.member);
    USER_GRANT.end(writing, [position, content]);
    await members.remove(memberSets.given(content, removed), position);
    lists.touch(position);
    if (space !== undefined) lists.addGrant(position, { space, removed, added: undefined });
  }
}

/** Writes new and changed permissions, and adds them to the sets. Call it after {@link writeContents}. */
export async function giveGrants(
  writing: Writing,
  { members, spaces, lists }: Grantees,
  grants: readonly RecordChange[],
): Promise<void> {
  for (const grant of grants) {
    if (grant.becomes === undefined) continue;
    const added = roleOf(Number(grant.becomes));
    const content = contentIn(grant);
    const space = await spaceOfKey(writing, content);
    if (grant.team !== undefined) {
      TEAM_GRANT.put(writing, [content, grant.team], [rank(added)]);
      if (space !== undefined) await spaces.add(spaceSets.givenToTeam(grant.team, added), space);
      continue;
    }
    const position = await memberPosition(writing, grant.member);
    USER_GRANT.put(writing, [position, content], [rank(added)]);
    await members.add(memberSets.given(content, added), position);
    lists.touch(position);
    if (space !== undefined) lists.addGrant(position, { space, removed: undefined, added });
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
