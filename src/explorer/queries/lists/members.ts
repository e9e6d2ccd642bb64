import { type Page, type PageRequest, pageOf } from "../../../domain/page.ts";
import { holds } from "../../../store/schema/as-of.ts";
import { statement } from "../../../store/engine/engine.ts";
import type { Reading } from "../../../store/reading.ts";
import { teamOf, type Team, TEAM_COLUMNS, type TeamRow } from "../../../store/directory/teams.ts";
import { effectiveMembers, type EffectiveEntry } from "../../../store/listings/entries.ts";
import type { Access } from "../../../store/listings/access.ts";

const TEAMS = statement<TeamRow>(
  () => `
    SELECT ${TEAM_COLUMNS} FROM team t WHERE ${holds("t")} AND t.id > $3 ORDER BY t.id LIMIT $4`,
);

export async function teams(
  reading: Reading,
  { after, limit }: PageRequest<string>,
): Promise<Page<Team, string>> {
  const rows = await reading.read(TEAMS, ...reading.asOf, after ?? "", limit + 1);
  return pageOf(rows.map(teamOf), limit, ({ id }) => id);
}

const ROLES_IN_TEAM = statement<[position: number, role: string]>(
  ({ numbers }) => `
    SELECT mt.position, mt.role FROM ${numbers("$3", "wanted")} CROSS JOIN team_member mt
      WHERE ${holds("mt")} AND mt.position = wanted.value AND mt.team = $4`,
);

/** `role` is the role in the team: `owner` or `member`. */
export type TeamMember = Omit<EffectiveEntry, "role"> & { readonly role: string };

/** The members of `team` that `some` selects, by user id. */
export async function teamMembers(
  reading: Reading,
  some: Access,
  team: string,
  request: PageRequest<string>,
): Promise<Page<TeamMember, string>> {
  const page = await effectiveMembers(reading, some, request);
  const positions = page.entries.map(({ position }) => position);
  const held = new Map(await reading.read(ROLES_IN_TEAM, ...reading.asOf, positions, team));
  return {
    ...page,
    entries: page.entries.map((entry) => ({ ...entry, role: held.get(entry.position) ?? "member" })),
  };
}
