import { setImmediate as breath } from "node:timers/promises";
import { compareIds } from "../../domain/order.ts";
import { type Page, type PageRequest, pageOf } from "../../domain/page.ts";
import type { Role } from "../../domain/role.ts";
import type { Person } from "../../domain/why.ts";
import { holds } from "../as-of.ts";
import { decodeMemberRole } from "../codes.ts";
import { statement } from "../engine.ts";
import { personOf } from "../person.ts";
import type { Reading } from "../reading.ts";
import { membersMatching } from "../search.ts";
import { MEMBERS } from "../set-names.ts";
import { everyMember, ofTeam } from "./subject.ts";
import { effectiveMembers, type EffectiveEntry } from "./effective.ts";
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

/** The members of an organization, by id; with `q`, those whose name or e-mail address it matches as search does. */
export async function members(
  reading: Reading,
  q: string,
  request: PageRequest<string>,
): Promise<Page<ListedMember, string>> {
  const { after, limit } = request;
  const query = queryOf(q);
  const key = ({ user }: ListedMember) => user.id;
  if (query.text === "") {
    const page = await allMembers(reading, request);
    return { ...page, entries: page.entries.map(listed) };
  }
  const few = await membersMatching(reading, query);
  if (few !== undefined) {
    const ids = [...few].filter((id) => after === undefined || compareIds(id, after) > 0).sort(compareIds);
    const entries: ListedMember[] = [];
    for (let start = 0; start < ids.length && entries.length <= limit; start += BLOCK) {
      const found = await namedMembers(reading, ids.slice(start, start + BLOCK));
      entries.push(...matching(found, query));
    }
    return pageOf(entries, limit, key);
  }
  const entries: ListedMember[] = [];
  for (let from = after; entries.length <= limit;) {
    const found = await allMembers(reading, { after: from, limit: BLOCK });
    entries.push(...matching(found.entries, query));
    if (found.next === undefined) break;
    from = found.next;
    await breath();
  }
  return pageOf(entries, limit, key);
}

async function allMembers(
  reading: Reading,
  request: PageRequest<string>,
): Promise<Page<MemberEntry, string>> {
  return effectiveMembers(reading, await everyMember(reading), request);
}

type MemberEntry = Pick<EffectiveEntry, "id" | "memberRole" | "document">;

const NAMED = statement<[id: string, role: number, text: string, omitted: number]>(
  ({ texts }) => `
    SELECT m.id, m.role, m.doc, m.omitted
      FROM ${texts("$3", "wanted")} CROSS JOIN place p CROSS JOIN member m
      WHERE p.generation = $1 AND p.universe = ${MEMBERS} AND p.key = wanted.value
        AND ${holds("m")} AND m.position = p.position`,
);

/** The members with these ids, in that order; an id of no member is left out. */
async function namedMembers(reading: Reading, ids: readonly string[]): Promise<MemberEntry[]> {
  const rows = await reading.read(NAMED, ...reading.asOf, ids);
  const found = new Map(rows.map((row) => [row[0], row]));
  return ids.flatMap((id) => {
    const row = found.get(id);
    return row === undefined
      ? []
      : [{ id, memberRole: decodeMemberRole(row[1]), document: { text: row[2], omitted: row[3] } }];
  });
}

function matching(found: readonly MemberEntry[], query: Query): ListedMember[] {
  return found
    .map(listed)
    .filter(({ user: { displayName, email } }) =>
      matches(email === undefined ? [displayName] : [displayName, email], query),
    );
}

function listed({ id, memberRole, document }: MemberEntry): ListedMember {
  return { user: personOf({ id, role: memberRole, document }), role: memberRole };
}

const TEAMS = statement<TeamRow>(
  ({ contains }) => `
    SELECT ${TEAM_COLUMNS} FROM team t
      WHERE ${holds("t")} AND t.id > $3 AND ${contains("t.folded", "$4")} ORDER BY t.id LIMIT $5`,
);

/** The teams of an organization, by id; with `q`, those whose title contains it, folded (as endpoint 9). */
export async function teams(
  reading: Reading,
  q: string,
  { after, limit }: PageRequest<string>,
): Promise<Page<Team, string>> {
  const rows = await reading.read(TEAMS, ...reading.asOf, after ?? "", fold(q), limit + 1);
  return pageOf(rows.map(teamOf), limit, ({ id }) => id);
}

export interface TeamMember {
  readonly user: Person;
  /** `owner` or `member`. */
  readonly role: string;
}

const HELD = statement<[position: number, role: string]>(
  ({ numbers }) => `
    SELECT mt.position, mt.role FROM ${numbers("$3", "wanted")} CROSS JOIN team_member mt
      WHERE ${holds("mt")} AND mt.position = wanted.value AND mt.team = $4`,
);

/** The members of a team, by user id. */
export async function teamMembers(
  reading: Reading,
  team: string,
  request: PageRequest<string>,
): Promise<Page<TeamMember, string>> {
  const page = await effectiveMembers(reading, await ofTeam(reading, team), request);
  const positions = page.entries.map(({ position }) => position);
  const held = new Map(await reading.read(HELD, ...reading.asOf, positions, team));
  return {
    ...page,
    entries: page.entries.map((entry) => ({
      user: listed(entry).user,
      role: held.get(entry.position) ?? "member",
    })),
  };
}
