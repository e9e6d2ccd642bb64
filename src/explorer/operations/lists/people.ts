import type { Page, PageRequest } from "../../../domain/page.ts";
import { plain, reasonOf } from "../../../domain/reason.ts";
import type { ContentKey } from "../../../domain/content.ts";
import type { Role } from "../../../domain/role.ts";
import { type AccessOrder, explainedPeople } from "../../queries/lists/access.ts";
import { effectiveMembers } from "../../../store/listings/entries.ts";
import { teamMembers } from "../../queries/lists/members.ts";
import type { Access } from "../../../store/listings/access.ts";
import { ladderFor } from "../../../store/directory/inheritance.ts";
import { directCounts } from "../../queries/tree/placed.ts";
import { teamNodes } from "../../../store/directory/teams.ts";
import { personOf } from "../../../store/directory/person.ts";
import type { Reading } from "../../../store/reading.ts";
import { groupByGroup } from "../../queries/lists/group-by-group.ts";
import { type Audience, givenPeople, members, membersOfTeam } from "../../queries/past/audience.ts";
import { membersOn } from "../../queries/without/team-on.ts";
import { newPeople } from "../../queries/past/newcomers.ts";
import { type Filter, isNarrow, rolesOf } from "../../queries/filters/filter.ts";
import { Narrowed } from "../../queries/filters/narrow.ts";
import type { AccessRow, MemberRow, TeamMemberRow } from "../../wire/lists.ts";
import { type Counted, type List, mapped, type Opened, orderOf, textsOf } from "./list.ts";

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
    return access && new Narrowed(reading, `${key} of team/${team}`, access, filter);
  };
  return effective(narrowed, filter, false);
}

/** People with their effective roles. */
function effective(
  narrow: (reading: Reading) => Promise<Narrowed | undefined>,
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
): Promise<Narrowed | undefined> {
  const whole = await audience.access(reading);
  if (whole === undefined) return undefined;
  return new Narrowed(reading, audience.name, whole, filter, (time) => newPeople(reading, time, wider));
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
  narrowed: Narrowed,
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
    ...(total === undefined || isNarrow(filter) ? {} : { total }),
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

async function counted(narrowed: Narrowed): Promise<Counted> {
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
        ...(isNarrow(filter) ? {} : { total: node.members }),
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
        ...(isNarrow(filter) ? {} : { total: role === undefined ? counts.members : counts.roles[role] }),
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
