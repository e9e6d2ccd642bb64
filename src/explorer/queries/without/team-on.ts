import type { Role } from "../../../domain/role.ts";
import type { ContentKey } from "../../../domain/content.ts";
import { ladderFor } from "../../../store/directory/inheritance.ts";
import type { Access } from "../../../store/listings/access.ts";
import { accessOnContent, teamSet } from "../../../store/listings/subject.ts";
import type { Reading } from "../../../store/reading.ts";

/** The access of a team's members on a content; `undefined` if the content does not exist. */
export async function membersOn(
  reading: Reading,
  key: ContentKey,
  team: string,
): Promise<Access | undefined> {
  const access = await accessOnContent(reading, key);
  return access?.narrowed({ within: [await teamSet(reading, team)] });
}

/** The role of the team's permission that is nearest on the ladder; `undefined` if the team has none. */
export async function roleOfTeam(reading: Reading, key: ContentKey, team: string): Promise<Role | undefined> {
  const ladder = await ladderFor(reading, key);
  return ladder?.find(({ teams }) => teams.has(team))?.teams.get(team);
}
