import { setImmediate as breath } from "node:timers/promises";
import type { ContentKey } from "../../domain/content.ts";
import { compareIds } from "../../domain/order.ts";
import { type Page, type PageRequest, pageOf } from "../../domain/page.ts";
import type { Role } from "../../domain/role.ts";
import type { Person } from "../../domain/why.ts";
import { type Candidate, namedMembers, nextMembers } from "../candidates.ts";
import { decodeMemberRole, posting } from "../codes.ts";
import { statement } from "../engine.ts";
import { personOf } from "../person.ts";
import type { Reading } from "../reading.ts";
import { membersMatching } from "../search.ts";
import { Sought } from "../sought.ts";
import { teamOf, type Team, TEAM_COLUMNS, type TeamRow } from "../teams.ts";
import { matches, type Query, queryOf } from "../words.ts";
import { fold } from "../../domain/title.ts";

export interface ListedMember {
  readonly user: Person;
  /** The organization role; `null` for a guest. */
  readonly role: Role | null;
}

/** Members that are looked at together where the query is common. */
const BLOCK = 1000;
const ALONE = { direct: new Sought<ContentKey>([]), teams: new Sought([]) };

/** The members of an organization, by id; with `q`, those whose name or e-mail address it matches as search does. */
export async function members(
  reading: Reading,
  q: string,
  request: PageRequest<string>,
): Promise<Page<ListedMember, string>> {
  const { after = "", limit } = request;
  const query = queryOf(q);
  const key = ({ user }: ListedMember) => user.id;
  if (query.text === "") {
    const found = await nextMembers(reading, after, limit + 1, ALONE);
    return pageOf(found.map(listed), limit, key);
  }
  const few = await membersMatching(reading, query);
  if (few !== undefined) {
    const ids = [...few].filter((id) => compareIds(id, after) > 0).sort(compareIds);
    const entries: ListedMember[] = [];
    for (let start = 0; start < ids.length && entries.length <= limit; start += BLOCK) {
      const found = await namedMembers(reading, ids.slice(start, start + BLOCK), ALONE);
      entries.push(...matching(found, query));
    }
    return pageOf(entries, limit, key);
  }
  const entries: ListedMember[] = [];
  for (let from = after; entries.length <= limit;) {
    const found = await nextMembers(reading, from, BLOCK, ALONE);
    entries.push(...matching(found, query));
    if (found.length < BLOCK) break;
    from = found.at(-1)?.id ?? from;
    await breath();
  }
  return pageOf(entries, limit, key);
}

function matching(found: readonly Candidate[], query: Query): ListedMember[] {
  return found
    .map(listed)
    .filter(({ user: { displayName, email } }) =>
      matches(email === undefined ? [displayName] : [displayName, email], query),
    );
}

function listed(candidate: Candidate): ListedMember {
  return { user: personOf(candidate), role: candidate.role };
}

const TEAMS = statement<TeamRow>(
  ({ contains }) => `
    SELECT ${TEAM_COLUMNS} FROM team t
      WHERE t.snapshot = $1 AND t.id > $2 AND ${contains("t.folded", "$3")} ORDER BY t.id LIMIT $4`,
);

/** The teams of an organization, by id; with `q`, those whose title contains it, folded (as endpoint 9). */
export async function teams(
  reading: Reading,
  q: string,
  { after, limit }: PageRequest<string>,
): Promise<Page<Team, string>> {
  const rows = await reading.read(TEAMS, reading.snapshot, after ?? "", fold(q), limit + 1);
  return pageOf(rows.map(teamOf), limit, ({ id }) => id);
}

export interface TeamMember {
  readonly user: Person;
  /** `owner` or `member`. */
  readonly role: string;
}

const OF_TEAM = statement<[id: string, role: number, text: string, omitted: number, held: string]>(
  () => `
    SELECT m.id, m.role, m.doc, m.omitted, mt.role
      FROM posting p JOIN member m ON m.snapshot = p.snapshot AND m.id = p.member
        JOIN member_team mt ON mt.snapshot = p.snapshot AND mt.member = p.member AND mt.team = $3
      WHERE p.snapshot = $1 AND m.snapshot = $1 AND mt.snapshot = $1 AND p.source = $2 AND p.member > $4
      ORDER BY p.member LIMIT $5`,
);

/** The members of a team, by user id. */
export async function teamMembers(
  reading: Reading,
  team: string,
  { after, limit }: PageRequest<string>,
): Promise<Page<TeamMember, string>> {
  const rows = await reading.read(
    OF_TEAM,
    reading.snapshot,
    posting.team(team),
    team,
    after ?? "",
    limit + 1,
  );
  const entries = rows.map(([id, role, text, omitted, held]) => ({
    user: personOf({ id, role: decodeMemberRole(role), document: { text, omitted } }),
    role: held,
  }));
  return pageOf(entries, limit, ({ user }) => user.id);
}
