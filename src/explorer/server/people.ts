/** Lists of people: with access to a content or site, with a direct permission, in a team, and all members. */
import { type ContentKey, idOf } from "../../domain/content.ts";
import type { Page, PageRequest } from "../../domain/page.ts";
import { reasonOf } from "../../domain/reason.ts";
import type { Role } from "../../domain/role.ts";
import { contents, ladderFor } from "../../store/directory/contents.ts";
import { personOf } from "../../store/directory/person.ts";
import { teamNodes } from "../../store/directory/teams.ts";
import { statement } from "../../store/engine/engine.ts";
import type { Access } from "../../store/listings/access.ts";
import { type EffectiveEntry, effectiveMembers, explainedMembers } from "../../store/listings/entries.ts";
import { accessOnContent, teamSet } from "../../store/listings/subject.ts";
import type { Reading } from "../../store/reading.ts";
import { holds } from "../../store/schema/as-of.ts";
import type { AccessRow, MemberRow, TeamMemberRow } from "../wire/lists.ts";
import { FilteredAccess } from "./filtered.ts";
import {
  type AccessOrder,
  type ListOpener,
  type Opened,
  groupByGroup,
  mapped,
  orderOf,
  textsOf,
} from "./list.ts";
import { type Audience, givenPeople, members, membersOfTeam, newPeople } from "./newcomers.ts";
import { directCounts, titlesFor } from "./nodes.ts";
import { type Filter, isFiltering, rolesOf } from "./query.ts";

/** Everybody with access to a content, with their effective role; on a site, with their highest role on its spaces. */
export function everyone(audience: Audience, filter: Filter): ListOpener<AccessRow> {
  const isSite = audience.name.startsWith("site/");
  return async (reading) => {
    const filtered = await filteredBy(reading, audience, filter);
    return filtered && explained(reading, filtered, filter, isSite);
  };
}

/** The members of a team, by their effective role on a content. */
export function teamOn(key: ContentKey, team: string, filter: Filter): ListOpener<AccessRow> {
  return async (reading) => {
    const access = await membersOn(reading, key, team);
    if (access === undefined) return undefined;
    const filtered = new FilteredAccess(reading, `${key} of team/${team}`, access, filter);
    return explained(reading, filtered, filter, false);
  };
}

/** The people with a direct permission on a content. */
export function peopleGiven(key: ContentKey, filter: Filter): ListOpener<AccessRow> {
  return async (reading) => {
    const [level] = (await ladderFor(reading, key)) ?? [];
    const filtered = await filteredBy(reading, givenPeople(key), filter);
    if (level === undefined || filtered === undefined) return undefined;
    const titles = { content: () => level.title, team: (id: string) => id };
    const total = (await directCounts(reading, [key])).get(key) ?? 0;
    const given: ReadByRole<AccessRow> = async (access, wanted, request) =>
      mapped(await effectiveMembers(reading, access, request, wanted), (entry) => {
        const { role } = entry;
        return [
          { user: userOf(entry), role, reason: reasonOf(key, { role, rule: "direct", level }, titles) },
        ];
      });
    return peopleByRole(filtered, filter, given, total);
  };
}

export function membersOf(team: string, filter: Filter): ListOpener<TeamMemberRow> {
  return async (reading) => {
    const node = (await teamNodes(reading, [team])).get(team);
    const filtered = await filteredBy(reading, membersOfTeam(team), filter);
    if (node === undefined || filtered === undefined) return undefined;
    const total = isFiltering(filter) ? undefined : node.members;
    return peopleById(filtered, total, async (access, request): Promise<Page<TeamMemberRow, string>> => {
      const page = await effectiveMembers(reading, access, request);
      const positions = page.entries.map(({ position }) => position);
      const held = new Map(await reading.read(ROLES_IN_TEAM, ...reading.asOf, positions, team));
      return mapped(page, (entry) => [
        { user: userOf(entry), role: held.get(entry.position) === "owner" ? "owner" : "member" },
      ]);
    });
  };
}

const ROLES_IN_TEAM = statement<[position: number, role: string]>(
  ({ numbers }) => `
    SELECT mt.position, mt.role FROM ${numbers("$3", "wanted")} CROSS JOIN team_member mt
      WHERE ${holds("mt")} AND mt.position = wanted.value AND mt.team = $4`,
);

/** All members, by user id. `role` is the organization role. */
export function allMembers({ role, ...filter }: Filter): ListOpener<MemberRow> {
  return async (reading) => {
    const filtered = await filteredBy(reading, members(role), filter, members(undefined));
    if (filtered === undefined) return undefined;
    const { counts } = reading.at;
    const all = role === undefined ? counts.members : counts.roles[role];
    return peopleById(filtered, isFiltering(filter) ? undefined : all, async (access, request) =>
      mapped(await effectiveMembers(reading, access, request), (entry): MemberRow[] => [
        { user: userOf(entry), role: entry.memberRole },
      ]),
    );
  };
}

function userOf({ id, memberRole, document }: Pick<EffectiveEntry, "id" | "memberRole" | "document">) {
  return personOf({ id, role: memberRole, document });
}

/**
 * The filtered access of a list; `undefined` if the subject of the list does not exist. With the filter `since`, only
 * people who were not in `wider`, or had a lower role there, at the last revision before that time.
 */
async function filteredBy(
  reading: Reading,
  audience: Audience,
  filter: Filter,
  wider = audience,
): Promise<FilteredAccess | undefined> {
  const whole = await audience.access(reading);
  if (whole === undefined) return undefined;
  return new FilteredAccess(reading, audience.name, whole, filter, (time) => newPeople(reading, time, wider));
}

/** Opens a list of people that is always sorted by user id. */
function peopleById<Row extends TeamMemberRow | MemberRow>(
  filtered: FilteredAccess,
  total: number | undefined,
  read: (access: Access, request: PageRequest<string>) => Promise<Page<Row, string>>,
): Opened<Row> {
  return {
    ...(total === undefined ? {} : { total }),
    page: (request) =>
      filtered.page(request, read, {
        key: ({ user }) => user.id,
        id: ({ user }) => user.id,
        texts: ({ user }) => textsOf(user),
      }),
    count: async () => ({ total: await filtered.total() }),
    keyOf: (row) => filtered.keyOf(row, "asc", false),
  };
}

/** Reads the users with one role or, with `undefined`, all users by id. */
type ReadByRole<Row> = (
  access: Access,
  role: Role | undefined,
  request: PageRequest<string>,
) => Promise<Page<Row, string>>;

/** People with their effective roles. */
function explained(
  reading: Reading,
  filtered: FilteredAccess,
  filter: Filter,
  onSite: boolean,
): Opened<AccessRow> {
  return peopleByRole(filtered, filter, (access, role, request) =>
    explainedPeople(reading, access, onSite, role, request),
  );
}

/**
 * Opens a list of users with roles; the filter and the request decide whether it is sorted by role and id, or by id
 * only.
 */
function peopleByRole(
  filtered: FilteredAccess,
  filter: Filter,
  read: ReadByRole<AccessRow>,
  total?: number,
): Opened<AccessRow> {
  const { role } = filter;
  const isById = (asked: AccessOrder) => orderOf(filter, asked) === "id" || role !== undefined;
  return {
    ...(total === undefined || isFiltering(filter) ? {} : { total }),
    keyOf: (row, asked) => filtered.keyOf(row, "asc", !isById(asked)),
    page(request, asked) {
      const byId = isById(asked);
      const key = ({ user, role: held }: AccessRow) => (byId ? user.id : `${held}/${user.id}`);
      const inOrder = (access: Access, each: PageRequest<string>) =>
        byId
          ? read(access, role, each)
          : groupByGroup(
              each,
              rolesOf(filter),
              ({ user }: AccessRow) => user.id,
              (one, some) => read(access, one, some),
            );
      return filtered.page(request, inOrder, {
        key,
        id: ({ user }) => user.id,
        texts: ({ user }) => textsOf(user),
      });
    },
    count: async () => ({ total: await filtered.total(), roles: await filtered.counts() }),
  };
}

/**
 * Everybody with an effective role, by id; with `role`, only people with this role. With `onSite`, each reason names
 * the space that gives the role.
 */
export async function explainedPeople(
  reading: Reading,
  access: Access,
  onSite: boolean,
  role: Role | undefined,
  request: PageRequest<string>,
): Promise<Page<AccessRow, string>> {
  const page = await explainedMembers(reading, access, request, role);
  const decisions = page.entries.map(({ decision }) => decision);
  const titles = await titlesFor(reading, decisions, await contents(reading, access.subjects));
  return mapped(page, (entry) => {
    const { subject, decision } = entry;
    const space = onSite ? { id: idOf(subject), title: titles.content(subject) } : undefined;
    return [{ user: userOf(entry), role: entry.role, reason: reasonOf(subject, decision, titles, space) }];
  });
}

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
