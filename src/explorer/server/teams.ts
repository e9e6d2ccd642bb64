/** Lists of teams: those with a permission on a content, those of a member, and all. */
import type { ContentKey } from "../../domain/content.ts";
import { compareIds } from "../../domain/id.ts";
import type { PageRequest } from "../../domain/page.ts";
import { rank } from "../../domain/role.ts";
import { ladderFor } from "../../store/directory/contents.ts";
import { memberOf } from "../../store/directory/members.ts";
import { teamNode, teamNodes, allTeams as teamsAfter } from "../../store/directory/teams.ts";
import { memberTeams } from "../../store/listings/teams.ts";
import type { Reading } from "../../store/reading.ts";
import type { TeamRow } from "../wire/lists.ts";
import { titlesFound } from "./found.ts";
import { type ListOpener, countedByReading, filteredPage, mapped, matching, openSorted } from "./list.ts";
import { newRecords } from "./newcomers.ts";
import { type Filter, isFiltering, rolesOf } from "./query.ts";

/** The teams with a permission on the content itself, strongest role first, then by id. */
export function teamsGiven(key: ContentKey, filter: Filter): ListOpener<TeamRow> {
  return async (reading) => {
    const [level] = (await ladderFor(reading, key)) ?? [];
    if (level === undefined) return undefined;
    const roles = new Set(rolesOf(filter));
    const added = await newRecords(reading, filter.since, {
      name: `teams on ${key}`,
      kind: "permission",
      keyOf: ({ content, team }) => (content === key ? team : undefined),
    });
    const ofRoles = [...level.teams].filter(([id, role]) => roles.has(role) && added?.has(id) !== false);
    const isNamed = matching(filter.q);
    const ids = ofRoles.map(([id]) => id);
    // Only the filter `q` needs the titles of all these teams, which take long to read.
    const titles = filter.q === "" ? undefined : await teamNodes(reading, ids);
    const given = ofRoles
      .filter(([id]) => isNamed(titles?.get(id)?.title ?? ""))
      .map(([id, role]) => ({ id, role, position: `${6 - rank(role)}/${id}` }))
      .sort((a, b) => compareIds(a.position, b.position));
    return openSorted(given, async (some) => {
      const nodes = await teamNodes(
        reading,
        some.map(({ id }) => id),
      );
      return some.flatMap(({ id, role }): TeamRow[] => {
        const team = nodes.get(id);
        return team === undefined ? [] : [{ team, role }];
      });
    });
  };
}

export function teamsOf(user: string, filter: Filter): ListOpener<TeamRow> {
  return async (reading) => {
    const member = await memberOf(reading, user);
    if (member === undefined) return undefined;
    const rows = async (request: PageRequest<string>) =>
      mapped(
        (await memberTeams(reading, user, request, "")) ?? { entries: [] },
        ({ team, role }): TeamRow[] => [
          { team: teamNode(team), role: role === "owner" ? "owner" : "member" },
        ],
      );
    if (!isFiltering(filter)) return countedByReading(member.teams.length, rows);
    const isNamed = matching(filter.q);
    const added = await newRecords(reading, filter.since, {
      name: `teams of ${user}`,
      kind: "teamMember",
      keyOf: (record) => (record.member === user ? record.team : undefined),
    });
    return countedByReading(undefined, (request) =>
      filteredPage(
        rows,
        ({ team }) => added?.has(team.id) !== false && isNamed(team.title),
        ({ team }) => team.id,
        request,
      ),
    );
  };
}

export function allTeams(filter: Filter): ListOpener<TeamRow> {
  return async (reading) => {
    if (!isFiltering(filter)) {
      return countedByReading(reading.at.counts.teams, async (request) =>
        mapped(await teamsAfter(reading, request), (team) => [{ team: teamNode(team) }]),
      );
    }
    const found = (await idsOf(reading, filter))
      .map((position) => ({ position }))
      .sort((a, b) => compareIds(a.position, b.position));
    return openSorted(found, async (some) => {
      const ids = some.map(({ position }) => position);
      const nodes = await teamNodes(reading, ids);
      return ids.flatMap((id): TeamRow[] => {
        const team = nodes.get(id);
        return team === undefined ? [] : [{ team }];
      });
    });
  };
}

/** The ids of the teams that pass a filter, in no order. */
async function idsOf(reading: Reading, { q, since }: Filter): Promise<string[]> {
  const added = await newRecords(reading, since, { name: "teams", kind: "team", keyOf: ({ team }) => team });
  if (q === "") return [...(added ?? [])];
  const found = await titlesFound(reading, q);
  return found.flatMap(({ kind, id }) => (kind === "team" && added?.has(id) !== false ? id : []));
}
