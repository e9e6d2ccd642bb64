import type { ContentKey } from "../../domain/content.ts";
import { compareIds } from "../../domain/id.ts";
import { type Page, type PageRequest, pageOf } from "../../domain/page.ts";
import { rank } from "../../domain/role.ts";
import { ladderFor } from "../../store/directory/inheritance.ts";
import { memberOf } from "../../store/directory/members.ts";
import {
  TEAM_COLUMNS,
  type Team,
  type TeamRow as StoredTeam,
  teamNode,
  teamNodes,
  teamOf,
} from "../../store/directory/teams.ts";
import { statement } from "../../store/engine/engine.ts";
import { memberTeams } from "../../store/listings/member/member-teams.ts";
import type { Reading } from "../../store/reading.ts";
import { holds } from "../../store/schema/as-of.ts";
import { matches, queryOf } from "../../store/schema/search-terms.ts";
import { thingsFound } from "./found.ts";
import type { TeamRow } from "../wire/lists.ts";
import type { TeamNode } from "../wire/protocol.ts";
import { type Filter, isFiltering, rolesOf } from "./query.ts";
import { type List, countedByReading, filteredPage, mapped, within } from "./list.ts";
import { newRecords } from "./newcomers.ts";

const TEAMS = ["id", "title", "role", "members", "spaces"];

function teamCells({ team, role }: TeamRow): string[] {
  return [team.id, team.title, role ?? "", String(team.members), String(team.spaces)];
}

function rowOf(team: TeamNode | undefined, role: NonNullable<TeamRow["role"]>): TeamRow[] {
  return team === undefined ? [] : [{ team, role }];
}

/** The teams with a permission on the content itself, strongest role first, then by id. */
export function teamsGiven(key: ContentKey, filter: Filter): List<TeamRow> {
  return {
    columns: TEAMS,
    cells: teamCells,
    async open(reading) {
      const [level] = (await ladderFor(reading, key)) ?? [];
      if (level === undefined) return undefined;
      const roles = new Set(rolesOf(filter));
      const added = await newRecords(reading, filter.since, {
        name: `teams on ${key}`,
        kind: "permission",
        keyOf: ({ content, team }) => (content === key ? team : undefined),
      });
      const ofRoles = [...level.teams].filter(([id, role]) => roles.has(role) && added?.has(id) !== false);
      const query = queryOf(filter.q);
      // Only the filter `q` needs the titles of all these teams, which take long to read.
      const named =
        filter.q === ""
          ? undefined
          : await teamNodes(
              reading,
              ofRoles.map(([id]) => id),
            );
      const given = ofRoles
        .filter(([id]) => named === undefined || matches([named.get(id)?.title ?? ""], query))
        .map(([id, role]) => ({ id, role, position: `${6 - rank(role)}/${id}` }))
        .sort((a, b) => compareIds(a.position, b.position));
      return {
        total: given.length,
        count: async () => ({ total: given.length }),
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

export function teamsOf(user: string, filter: Filter): List<TeamRow> {
  return {
    columns: TEAMS,
    cells: teamCells,
    async open(reading) {
      const member = await memberOf(reading, user);
      if (member === undefined) return undefined;
      const rows = async (request: PageRequest<string>) =>
        mapped(await memberTeams(reading, user, request, ""), ({ team, role }) =>
          rowOf(teamNode(team), role === "owner" ? "owner" : "member"),
        );
      if (!isFiltering(filter)) return countedByReading(member.teams.length, rows);
      const query = queryOf(filter.q);
      const added = await newRecords(reading, filter.since, {
        name: `teams of ${user}`,
        kind: "teamMember",
        keyOf: (record) => (record.member === user ? record.team : undefined),
      });
      return countedByReading(undefined, (request) =>
        filteredPage(
          rows,
          ({ team }) => added?.has(team.id) !== false && (filter.q === "" || matches([team.title], query)),
          ({ team }) => team.id,
          request,
        ),
      );
    },
  };
}

export function allTeams(filter: Filter): List<TeamRow> {
  return {
    columns: ["id", "title", "members", "spaces", "createdAt"],
    cells: ({ team }) => [team.id, team.title, String(team.members), String(team.spaces), team.createdAt],
    async open(reading) {
      if (!isFiltering(filter)) {
        return countedByReading(reading.at.counts.teams, async (request) =>
          mapped(await teamsById(reading, request), (team) => [{ team: teamNode(team) }]),
        );
      }
      const found = (await idsOf(reading, filter))
        .map((position) => ({ position }))
        .sort((a, b) => compareIds(a.position, b.position));
      return countedByReading(found.length, async (request) => {
        const page = within(found, request);
        const nodes = await teamNodes(
          reading,
          page.entries.map(({ position }) => position),
        );
        return mapped(page, ({ position }) => {
          const team = nodes.get(position);
          return team === undefined ? [] : [{ team }];
        });
      });
    },
  };
}

/** The ids of the teams that pass a filter, in no order. */
async function idsOf(reading: Reading, { q, since }: Filter): Promise<string[]> {
  const added = await newRecords(reading, since, { name: "teams", kind: "team", keyOf: ({ team }) => team });
  if (q === "") return [...(added ?? [])];
  const found = await thingsFound(reading, q);
  return found.flatMap(({ kind, id }) => (kind === "team" && added?.has(id) !== false ? id : []));
}

const ALL_TEAMS = statement<StoredTeam>(
  () => `
    SELECT ${TEAM_COLUMNS} FROM team t WHERE ${holds("t")} AND t.id > $3 ORDER BY t.id LIMIT $4`,
);

async function teamsById(
  reading: Reading,
  { after, limit }: PageRequest<string>,
): Promise<Page<Team, string>> {
  const rows = await reading.read(ALL_TEAMS, ...reading.asOf, after ?? "", limit + 1);
  return pageOf(rows.map(teamOf), limit, ({ id }) => id);
}
