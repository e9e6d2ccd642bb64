/** Every list of the page: who may see it, its rows in order, and its lines in a file. */
import { decide } from "../../domain/access.ts";
import { type Page, type PageRequest, pageOf } from "../../domain/page.ts";
import { plain } from "../../domain/phrase.ts";
import { contentKey, type ContentKey } from "../../domain/content.ts";
import { compareIds } from "../../domain/order.ts";
import { reasonOf } from "../../domain/reason.ts";
import { rank, type Role } from "../../domain/role.ts";
import { byPosition, givenToTeam, placeOf } from "../../store/catalog.ts";
import { chains } from "../../store/chain.ts";
import type { Order } from "../../store/chunks.ts";
import { access, type AccessOrder, teamTitles } from "../../store/listings/access.ts";
import { userPermissions } from "../../store/listings/direct.ts";
import { memberSpaces } from "../../store/listings/member-spaces.ts";
import { memberTeams } from "../../store/listings/member-teams.ts";
import { members, teamMembers, teams } from "../../store/listings/members.ts";
import { onContent, onSite } from "../../store/listings/subject.ts";
import { personOf } from "../../store/person.ts";
import { ladderOf } from "../../store/levels.ts";
import { ladderFor, memberOf, subjectOn } from "../../store/members.ts";
import { directCounts, placed, teamNode, teamNodes } from "../../store/nodes.ts";
import type { Reading } from "../../store/reading.ts";
import { spacesOfSite } from "../../store/sites.ts";
import { strongestFirst } from "../../store/strongest-first.ts";
import type { Viewer } from "../../store/viewer.ts";
import type {
  AccessRow,
  GivenRow,
  MemberRow,
  ReachRow,
  SpaceRow,
  TeamMemberRow,
  TeamNode,
  TeamRow,
} from "../wire.ts";

/** A list that is there, ready to be read. */
export interface Opened<Row> {
  /** How many rows it has, where that is known. */
  readonly total?: number;
  page(request: PageRequest<string>, order: AccessOrder): Promise<Page<Row, string>>;
}

/** A list: how it is opened, and its rows as lines of a file. */
export interface List<Row extends object> {
  readonly columns: readonly string[];
  /** `undefined` where the thing is not in the revision. */
  open(reading: Reading, viewer: Viewer): Promise<Opened<Row> | undefined>;
  cells(row: Row): readonly string[];
}

const ACCESS = ["id", "name", "email", "role", "because"];
const TEAMS = ["id", "title", "role", "members", "spaces"];

function accessCells({ user, role, reason }: AccessRow): string[] {
  return [user.id, user.displayName, user.email ?? "", role, plain(reason.because)];
}

function teamCells({ team, role }: TeamRow): string[] {
  return [team.id, team.title, role ?? "", String(team.members), String(team.spaces)];
}

/** Everyone on a content, by effective role. */
export function everyone(key: ContentKey, role: Role | undefined): List<AccessRow> {
  return {
    columns: ACCESS,
    cells: accessCells,
    async open(reading) {
      const query = await onContent(reading, key);
      if (query === undefined) return undefined;
      return { page: (request, order) => access(reading, query, false, role, order, request) };
    },
  };
}

/** Everyone on a site, by their highest role on its spaces. */
export function everyoneOnSite(site: string, role: Role | undefined): List<AccessRow> {
  return {
    columns: ACCESS,
    cells: accessCells,
    async open(reading) {
      const query = await onSite(reading, site);
      if (query === undefined) return undefined;
      return { page: (request, order) => access(reading, query, true, role, order, request) };
    },
  };
}

/** The users who were given a permission on that very content. */
export function peopleGiven(key: ContentKey): List<AccessRow> {
  return {
    columns: ACCESS,
    cells: accessCells,
    async open(reading) {
      const [level] = (await ladderFor(reading, key)) ?? [];
      if (level === undefined) return undefined;
      const titles = { content: () => level.title, team: (id: string) => id };
      const total = (await directCounts(reading, [key])).get(key) ?? 0;
      const given = async (wanted: Role | undefined, request: PageRequest<string>) =>
        mapped(await userPermissions(reading, key, request, wanted), ({ id, role, memberRole, document }) => {
          const reason = reasonOf(key, { role, rule: "direct", level }, titles);
          return [{ user: personOf({ id, role: memberRole, document }), role, reason }];
        });
      return {
        total,
        page: (request, order) =>
          order === "id" ? given(undefined, request) : strongestFirst(request, ({ user }) => user.id, given),
      };
    },
  };
}

/** The teams that were given a permission on that very content. */
export function teamsGiven(key: ContentKey): List<TeamRow> {
  return {
    columns: TEAMS,
    cells: teamCells,
    async open(reading) {
      const [level] = (await ladderFor(reading, key)) ?? [];
      if (level === undefined) return undefined;
      const given = [...level.teams]
        .map(([id, role]) => ({ id, role, position: `${6 - rank(role)}/${id}` }))
        .sort(byPosition);
      return {
        total: given.length,
        async page(request) {
          const page = within(given, request);
          const nodes = await teamNodes(
            reading,
            page.entries.map(({ id }) => id),
          );
          return mapped(page, ({ id, role }) => rowOf(nodes.get(id), role));
        },
      };
    },
  };
}

function rowOf(team: TeamNode | undefined, role: NonNullable<TeamRow["role"]>): TeamRow[] {
  return team === undefined ? [] : [{ team, role }];
}

/** The spaces of a site, by title. */
export function spacesOf(site: string): List<SpaceRow> {
  return {
    columns: ["id", "title", "path", "defaultLevel", "visibility"],
    cells: ({ space, path }) => [
      space.id,
      space.title,
      path.join(" / "),
      space.defaultLevel ?? "null",
      space.visibility,
    ],
    async open(reading, viewer) {
      const keys = await spacesOfSite(reading, site);
      if (keys === undefined) return undefined;
      const loaded = await chains(reading, keys);
      const sorted = keys
        .map((key) => ({ key, position: placeOf(key, loaded.get(key)?.title ?? "") }))
        .sort(byPosition);
      return {
        total: keys.length,
        async page(request) {
          const page = within(sorted, request);
          const nodes = await placed(
            reading,
            viewer,
            page.entries.map(({ key }) => key),
          );
          return mapped(page, ({ key }) => {
            const found = nodes.get(key);
            if (found?.node.kind !== "space") return [];
            return [{ space: found.node, path: found.above.map(({ title }) => title) }];
          });
        },
      };
    },
  };
}

/** The spaces that a member reaches, by creation. */
export function reachOf(user: string, role: Role | undefined, order: Order): List<ReachRow> {
  return {
    columns: ["id", "title", "path", "role", "createdAt", "because"],
    cells: ({ space, path, role, createdAt, reason }) => [
      space.id,
      space.title,
      path.join(" / "),
      role,
      createdAt,
      plain(reason.because),
    ],
    async open(reading, viewer) {
      const member = await memberOf(reading, user);
      if (member === undefined) return undefined;
      return {
        async page(request) {
          const found = await memberSpaces(reading, member, order, request, role);
          const keys = found.entries.map(({ id }) => contentKey("space", id));
          const nodes = await placed(reading, viewer, keys);
          const loaded = await chains(reading, keys);
          const ladders = keys.flatMap((key) => loaded.get(key) ?? []).map((each) => ladderOf(each, loaded));
          const subject = await subjectOn(reading, member, ladders);
          const decisions = new Map(ladders.map((ladder) => [ladder[0]?.content, decide(ladder, subject)]));
          const teams = await teamTitles(
            reading,
            [...decisions.values()].filter((decision) => decision !== undefined),
          );
          const titles = {
            content: (key: ContentKey) => loaded.get(key)?.title ?? key,
            team: (id: string) => teams.get(id) ?? id,
          };
          return mapped(found, ({ id, role, document }) => {
            const key = contentKey("space", id);
            const place = nodes.get(key);
            const decision = decisions.get(key);
            if (place?.node.kind !== "space" || decision === undefined) return [];
            const path = place.above.map(({ title }) => title);
            const { createdAt, deletedAt }: { createdAt: string; deletedAt?: string } = JSON.parse(
              document.text,
            );
            return [
              {
                space: place.node,
                path,
                role,
                createdAt,
                ...(deletedAt === undefined ? {} : { deletedAt }),
                reason: reasonOf(key, decision, titles),
              },
            ];
          });
        },
      };
    },
  };
}

/** A member's teams, by id; with `q`, those whose title contains it. */
export function teamsOf(user: string, q: string): List<TeamRow> {
  return {
    columns: TEAMS,
    cells: teamCells,
    async open(reading) {
      const member = await memberOf(reading, user);
      if (member === undefined) return undefined;
      return {
        ...(q === "" ? { total: member.teams.length } : {}),
        async page(request) {
          const found = await memberTeams(reading, user, request, q);
          return mapped(found, ({ team, role }) =>
            rowOf(teamNode(team), role === "owner" ? "owner" : "member"),
          );
        },
      };
    },
  };
}

/** The permissions that a team was given, strongest first. */
export function permissionsOf(team: string): List<GivenRow> {
  return {
    columns: ["kind", "id", "title", "path", "role"],
    cells: ({ content, path, role }) => [content.kind, content.id, content.title, path.join(" / "), role],
    async open(reading, viewer) {
      if (!(await teamNodes(reading, [team])).has(team)) return undefined;
      return {
        async page(request) {
          const found = await givenToTeam(reading, team, request);
          const nodes = await placed(
            reading,
            viewer,
            found.entries.map(({ thing }) => thing),
          );
          return mapped(found, ({ thing, role }) => {
            const place = nodes.get(thing);
            if (place === undefined) return [];
            return [{ content: place.node, path: place.above.map(({ title }) => title), role }];
          });
        },
      };
    },
  };
}

/** The members of a team, by user id. */
export function membersOf(team: string): List<TeamMemberRow> {
  return {
    columns: ["id", "name", "email", "role"],
    cells: ({ user, role }) => [user.id, user.displayName, user.email ?? "", role],
    async open(reading) {
      const node = (await teamNodes(reading, [team])).get(team);
      if (node === undefined) return undefined;
      return {
        total: node.members,
        async page(request) {
          const found = await teamMembers(reading, team, request);
          return mapped(found, ({ user, role }) => [{ user, role: role === "owner" ? "owner" : "member" }]);
        },
      };
    },
  };
}

/** All members, by user id; with `q`, those whose name or e-mail address it matches. */
export function allMembers(q: string): List<MemberRow> {
  return {
    columns: ["id", "name", "email", "role"],
    cells: ({ user, role }) => [user.id, user.displayName, user.email ?? "", role ?? "guest"],
    async open(reading) {
      return {
        ...(q === "" ? { total: reading.at.counts.members } : {}),
        page: (request) => members(reading, q, request),
      };
    },
  };
}

/** All teams, by id; with `q`, those whose title contains it. */
export function allTeams(q: string): List<TeamRow> {
  return {
    columns: ["id", "title", "members", "spaces", "createdAt"],
    cells: ({ team }) => [team.id, team.title, String(team.members), String(team.spaces), team.createdAt],
    async open(reading) {
      return {
        ...(q === "" ? { total: reading.at.counts.teams } : {}),
        page: async (request) =>
          mapped(await teams(reading, q, request), (team) => [{ team: teamNode(team) }]),
      };
    },
  };
}

/** A page of a list that lies in memory, sorted by position. */
function within<Entry extends { readonly position: string }>(
  sorted: readonly Entry[],
  { after, limit }: PageRequest<string>,
): Page<Entry, string> {
  const behind =
    after === undefined ? sorted : sorted.filter(({ position }) => compareIds(position, after) > 0);
  return pageOf(behind.slice(0, limit + 1), limit, ({ position }) => position);
}

function mapped<From, To>(
  { entries, ...more }: Page<From, string>,
  to: (entry: From) => readonly To[],
): Page<To, string> {
  return { ...more, entries: entries.flatMap(to) };
}
