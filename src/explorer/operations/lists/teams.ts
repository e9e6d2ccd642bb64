/** Lists of teams: those with permissions on a content, those of a member, all of them. */
import { compareIds } from "../../../domain/order.ts";
import type { ContentKey } from "../../../domain/content.ts";
import type { PageRequest } from "../../../domain/page.ts";
import { rank } from "../../../domain/role.ts";
import { memberTeams } from "../../../store/listings/member-teams.ts";
import { teams } from "../../queries/lists/members.ts";
import { ladderFor, memberOf } from "../../../store/directory/members.ts";
import { teamNode, teamNodes } from "../../../store/directory/teams.ts";
import { type Filter, rolesOf } from "../../queries/filters/filter.ts";
import { thingsFound } from "../../queries/search/things-found.ts";
import { matches, queryOf } from "../../../store/schema/search-terms.ts";
import type { TeamNode } from "../../wire/things.ts";
import type { TeamRow } from "../../wire/rows.ts";
import { type List, mapped, within } from "./list.ts";
import { counting, sifted } from "./sift.ts";

const TEAMS = ["id", "title", "role", "members", "spaces"];

function teamCells({ team, role }: TeamRow): string[] {
  return [team.id, team.title, role ?? "", String(team.members), String(team.spaces)];
}

function rowOf(team: TeamNode | undefined, role: NonNullable<TeamRow["role"]>): TeamRow[] {
  return team === undefined ? [] : [{ team, role }];
}

/** The teams with a permission on the content itself, strongest first. */
export function teamsGiven(key: ContentKey, filter: Filter): List<TeamRow> {
  return {
    columns: TEAMS,
    cells: teamCells,
    async open(reading) {
      const [level] = (await ladderFor(reading, key)) ?? [];
      if (level === undefined) return undefined;
      const roles = new Set(rolesOf(filter));
      const ofRoles = [...level.teams].filter(([, role]) => roles.has(role));
      const query = queryOf(filter.q);
      // Unless the filter needs all titles, only those of the page are read.
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

/** A member's teams, by id; with `q`, only those whose title matches. */
export function teamsOf(user: string, { q }: Filter): List<TeamRow> {
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
      if (q === "") return counting(member.teams.length, rows);
      const query = queryOf(q);
      return counting(undefined, (request) =>
        sifted(
          rows,
          ({ team }) => matches([team.title], query),
          ({ team }) => team.id,
          request,
        ),
      );
    },
  };
}

/** All teams, by id; with `q`, only those whose title matches. */
export function allTeams({ q }: Filter): List<TeamRow> {
  return {
    columns: ["id", "title", "members", "spaces", "createdAt"],
    cells: ({ team }) => [team.id, team.title, String(team.members), String(team.spaces), team.createdAt],
    async open(reading) {
      if (q === "") {
        return counting(reading.at.counts.teams, async (request) =>
          mapped(await teams(reading, request), (team) => [{ team: teamNode(team) }]),
        );
      }
      const found = (await thingsFound(reading, q))
        .flatMap(({ kind, id }) => (kind === "team" ? [{ position: id }] : []))
        .sort((a, b) => compareIds(a.position, b.position));
      return counting(found.length, async (request) => {
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
