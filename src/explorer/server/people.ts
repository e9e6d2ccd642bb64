import { type ContentKey, idOf } from "../../domain/content.ts";
import type { Decision } from "../../domain/ladder.ts";
import type { Page, PageRequest } from "../../domain/page.ts";
import { type Reason, type Titles, plain, reasonOf } from "../../domain/reason.ts";
import type { Role } from "../../domain/role.ts";
import type { Person } from "../../domain/why.ts";
import { contents, ladderFor } from "../../store/directory/inheritance.ts";
import { personOf } from "../../store/directory/person.ts";
import { teamNodes } from "../../store/directory/teams.ts";
import { statement } from "../../store/engine/engine.ts";
import type { Access } from "../../store/listings/access.ts";
import {
  type EffectiveEntry,
  type ExplainedEntry,
  effectiveMembers,
  explainedMembers,
} from "../../store/listings/entries.ts";
import { accessOnContent, teamSet } from "../../store/listings/subject.ts";
import type { Reading } from "../../store/reading.ts";
import { holds } from "../../store/schema/as-of.ts";
import { type Audience, givenPeople, members, membersOfTeam, newPeople } from "./newcomers.ts";
import type { AccessRow, MemberRow, TeamMemberRow } from "../wire/lists.ts";
import { type Filter, isFiltering, rolesOf } from "./query.ts";
import { FilteredAccess } from "./filtered.ts";
import {
  type AccessOrder,
  type Counted,
  type List,
  type Opened,
  groupByGroup,
  mapped,
  orderOf,
  textsOf,
} from "./list.ts";
import { directCounts } from "./nodes.ts";

const ACCESS = ["id", "name", "email", "role", "because"];

function accessCells({ user, role, reason }: AccessRow): string[] {
  return [user.id, user.displayName, user.email ?? "", role, plain(reason.because)];
}

/** Everybody with access to a content, with their effective role; on a site, with their highest role on its spaces. */
export function everyone(audience: Audience, filter: Filter): List<AccessRow> {
  const isSite = audience.name.startsWith("site/");
  return effective((reading) => narrowedTo(reading, audience, filter), filter, isSite);
}

/** The members of a team, by their effective role on a content. */
export function teamOn(key: ContentKey, team: string, filter: Filter): List<AccessRow> {
  const narrowed = async (reading: Reading) => {
    const access = await membersOn(reading, key, team);
    return access && new FilteredAccess(reading, `${key} of team/${team}`, access, filter);
  };
  return effective(narrowed, filter, false);
}

/** People with their effective roles. */
function effective(
  narrow: (reading: Reading) => Promise<FilteredAccess | undefined>,
  filter: Filter,
  isSite: boolean,
): List<AccessRow> {
  return {
    columns: ACCESS,
    cells: accessCells,
    async open(reading) {
      const narrowed = await narrow(reading);
      return (
        narrowed &&
        people(reading, narrowed, filter, (some, role, request) =>
          explainedPeople(reading, some, isSite, role, request),
        )
      );
    },
  };
}

/**
 * The filtered access of a list; `undefined` if the subject of the list does not exist. With the filter `since`, only
 * people who were not in `wider` at the last revision before that time.
 */
async function narrowedTo(
  reading: Reading,
  audience: Audience,
  filter: Filter,
  wider = audience,
): Promise<FilteredAccess | undefined> {
  const whole = await audience.access(reading);
  if (whole === undefined) return undefined;
  return new FilteredAccess(reading, audience.name, whole, filter, (time) => newPeople(reading, time, wider));
}

/** Reads the users with one role or, with `undefined`, all users by id. */
type Read<Row> = (
  access: Access,
  role: Role | undefined,
  request: PageRequest<string>,
) => Promise<Page<Row, string>>;

/**
 * Opens a list of users with roles; the filter and the request decide whether it is sorted by role and id, or by id
 * only.
 */
function people(
  reading: Reading,
  narrowed: FilteredAccess,
  filter: Filter,
  read: Read<AccessRow>,
  total?: number,
): Opened<AccessRow> {
  const { role } = filter;
  const look = async (access: Access, held: Role | undefined, request: PageRequest<string>) =>
    mapped(
      await effectiveMembers(reading, access, request, held),
      ({ id, position, memberRole, document }) => [
        { id, position, texts: textsOf(personOf({ id, role: memberRole, document })) },
      ],
    );
  const isById = (asked: AccessOrder) => orderOf(filter, asked) === "id" || role !== undefined;
  return {
    ...(total === undefined || isFiltering(filter) ? {} : { total }),
    keyOf: (row, asked) => narrowed.keyOf(row, "asc", !isById(asked)),
    page(request, asked) {
      const byId = isById(asked);
      const key = ({ user, role: held }: AccessRow) => (byId ? user.id : `${held}/${user.id}`);
      const inOrder = <Row>(
        access: Access,
        each: PageRequest<string>,
        idOf: (row: Row) => string,
        of: Read<Row>,
      ) =>
        byId
          ? of(access, role, each)
          : groupByGroup(each, rolesOf(filter), idOf, (one, some) => of(access, one, some));
      return narrowed.page(request, (access, each) => inOrder(access, each, ({ user }) => user.id, read), {
        key,
        texts: ({ user }) => textsOf(user),
        look: (access, each) => inOrder(access, each, ({ id }) => id, look),
      });
    },
    count: () => counted(narrowed),
  };
}

async function counted(narrowed: FilteredAccess): Promise<Counted> {
  return { total: await narrowed.total(), roles: await narrowed.counts() };
}

export function peopleGiven(key: ContentKey, filter: Filter): List<AccessRow> {
  return {
    columns: ACCESS,
    cells: accessCells,
    async open(reading) {
      const [level] = (await ladderFor(reading, key)) ?? [];
      if (level === undefined) return undefined;
      const titles = { content: () => level.title, team: (id: string) => id };
      const narrowed = await narrowedTo(reading, givenPeople(key), filter);
      if (narrowed === undefined) return undefined;
      const total = (await directCounts(reading, [key])).get(key) ?? 0;
      const given = async (access: Access, wanted: Role | undefined, request: PageRequest<string>) =>
        mapped(
          await effectiveMembers(reading, access, request, wanted),
          ({ id, role, memberRole, document }) => {
            const reason = reasonOf(key, { role, rule: "direct", level }, titles);
            return [{ user: personOf({ id, role: memberRole, document }), role, reason }];
          },
        );
      return people(reading, narrowed, filter, given, total);
    },
  };
}

export function membersOf(team: string, filter: Filter): List<TeamMemberRow> {
  return {
    columns: ["id", "name", "email", "role"],
    cells: ({ user, role }) => [user.id, user.displayName, user.email ?? "", role],
    async open(reading) {
      const node = (await teamNodes(reading, [team])).get(team);
      const narrowed = await narrowedTo(reading, membersOfTeam(team), filter);
      if (node === undefined || narrowed === undefined) return undefined;
      return {
        ...(isFiltering(filter) ? {} : { total: node.members }),
        page: (request) =>
          narrowed.page(
            request,
            async (access, each) =>
              mapped(
                await teamMembers(reading, access, team, each),
                ({ id, memberRole, document, role }): TeamMemberRow[] => [
                  {
                    user: personOf({ id, role: memberRole, document }),
                    role: role === "owner" ? "owner" : "member",
                  },
                ],
              ),
            { key: ({ user }) => user.id, texts: ({ user }) => textsOf(user) },
          ),
        count: async () => ({ total: await narrowed.total() }),
        keyOf: (row) => narrowed.keyOf(row, "asc", false),
      };
    },
  };
}

/** All members, by user id. `role` is the organization role. */
export function allMembers({ role, ...filter }: Filter): List<MemberRow> {
  return {
    columns: ["id", "name", "email", "role"],
    cells: ({ user, role: held }) => [user.id, user.displayName, user.email ?? "", held ?? "guest"],
    async open(reading) {
      // A member is new if they joined since then; a changed organization role does not count.
      const narrowed = await narrowedTo(reading, members(role), filter, members(undefined));
      if (narrowed === undefined) return undefined;
      const { counts } = reading.at;
      return {
        ...(isFiltering(filter) ? {} : { total: role === undefined ? counts.members : counts.roles[role] }),
        page: (request) =>
          narrowed.page(
            request,
            async (access, each) =>
              mapped(
                await effectiveMembers(reading, access, each),
                ({ id, memberRole, document }): MemberRow[] => [
                  { user: personOf({ id, role: memberRole, document }), role: memberRole },
                ],
              ),
            { key: ({ user }) => user.id, texts: ({ user }) => textsOf(user) },
          ),
        count: async () => ({ total: await narrowed.total() }),
        keyOf: (row) => narrowed.keyOf(row, "asc", false),
      };
    },
  };
}

interface ExplainedPerson {
  readonly user: Person;
  readonly role: Role;
  readonly reason: Reason;
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
): Promise<Page<ExplainedPerson, string>> {
  const { entries, ...more } = await explainedMembers(reading, access, request, role);
  const titles = await titlesOf(reading, access, entries);
  return { ...more, entries: entries.map((entry) => rowOf(entry, titles, onSite)) };
}

function rowOf(
  { id, memberRole, document, role, subject, decision }: ExplainedEntry,
  titles: Titles,
  onSite: boolean,
): ExplainedPerson {
  const space = onSite ? { id: idOf(subject), title: titles.content(subject) } : undefined;
  return {
    user: personOf({ id, role: memberRole, document }),
    role,
    reason: reasonOf(subject, decision, titles, space),
  };
}

async function titlesOf(
  reading: Reading,
  { subjects }: Access,
  entries: readonly ExplainedEntry[],
): Promise<Titles> {
  const teams = await teamTitles(
    reading,
    entries.map(({ decision }) => decision),
  );
  const loaded = await contents(reading, subjects);
  return {
    content: (key) => loaded.get(key)?.title ?? key,
    team: (id) => teams.get(id) ?? id,
  };
}

const TITLES = statement<[id: string, title: string]>(
  ({ texts }) => `
    SELECT t.id, t.title FROM ${texts("$3", "wanted")} CROSS JOIN team t
      WHERE ${holds("t")} AND t.id = wanted.value`,
);

/** The titles of the teams that decide, by team id. */
export async function teamTitles(
  reading: Reading,
  decisions: readonly Decision[],
): Promise<ReadonlyMap<string, string>> {
  const ids = [...new Set(decisions.flatMap(({ team }) => team ?? []))];
  return new Map(ids.length === 0 ? [] : await reading.read(TITLES, ...reading.asOf, ids));
}

const ROLES_IN_TEAM = statement<[position: number, role: string]>(
  ({ numbers }) => `
    SELECT mt.position, mt.role FROM ${numbers("$3", "wanted")} CROSS JOIN team_member mt
      WHERE ${holds("mt")} AND mt.position = wanted.value AND mt.team = $4`,
);

/** `role` is the role in the team: `owner` or `member`. */
type TeamMember = Omit<EffectiveEntry, "role"> & { readonly role: string };

/** The members of `team` that `some` selects, by user id. */
async function teamMembers(
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
