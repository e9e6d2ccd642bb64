/** Lists of teams: those with a permission on a content, those of a member, and all. */
import type { ContentKey } from "../../domain/content.ts";
import { compareIds } from "../../domain/id.ts";
import { rank, roleOf } from "../../domain/role.ts";
import { queryOf } from "../../domain/search.ts";
import { isAmong, listIn, MEMBERSHIP, PERMISSION } from "../../model/lists.ts";
import { findContent, findMember, findSite, type Model, NOTHING } from "../../model/model.ts";
import { numbersMatching } from "../../model/names.ts";
import { ROLE } from "../../model/code.ts";
import { modelOf } from "../../store/models.ts";
import { workInTurns } from "../../store/turns.ts";
import type { TeamRow } from "../wire/lists.ts";
import { type ListOpener, type Opened, openOrdered } from "./list.ts";
import { newRecords } from "./newcomers.ts";
import { teamNode } from "./nodes.ts";
import { type Filter, isFiltering, rolesOf } from "./query.ts";

/** The teams with a permission on the content itself, strongest role first, then by id. */
export function teamsGiven(key: ContentKey, filter: Filter): ListOpener<TeamRow> {
  return async (reading) => {
    const model = await modelOf(reading);
    const content = findContent(model, key);
    if (content === undefined) return undefined;
    const added = await newRecords(reading, filter.since, {
      name: `teams on ${key}`,
      kind: "permission",
      keyOf: ({ content: on, team }) => (on === key ? team : undefined),
    });
    const isKept = await keptBy(model, filter, added);
    const ranks = new Set(rolesOf(filter).map(rank));
    const given = listIn(model.contents.teams, content);
    return openByRole(
      model,
      given.filter((entry) => ranks.has(entry & ROLE) && isKept(entry >>> PERMISSION)),
    );
  };
}

/** The teams with a permission on a site, strongest role first, no access last, then by id. */
export function teamsOnSite(id: string, filter: Filter): ListOpener<TeamRow> {
  return async (reading) => {
    const model = await modelOf(reading);
    const site = findSite(model, id);
    if (site === undefined) return undefined;
    const added = await newRecords(reading, filter.since, {
      name: `teams on site ${id}`,
      kind: "permission",
      keyOf: ({ site: on, team }) => (on === id ? team : undefined),
    });
    const isKept = await keptBy(model, filter, added);
    return openByRole(
      model,
      listIn(model.sites.teams, site).filter((entry) => isKept(entry >>> PERMISSION)),
    );
  };
}

/** Opens a list of teams packed with the rank of their permission. */
function openByRole(model: Model, given: Uint32Array): Opened<TeamRow> {
  const sorted = Array.from(given, (entry) => {
    const [team, role] = [entry >>> PERMISSION, entry & ROLE];
    return { team, role, key: `${6 - role}/${idOf(model, team)}` };
  }).sort((a, b) => compareIds(a.key, b.key));
  return openOrdered({ entries: sorted, keyOf: ({ key }) => key, isCounted: true }, ({ team, role }) => ({
    team: teamNode(model, team),
    role: role === NOTHING ? "none" : roleOf(role),
  }));
}

export function teamsOf(user: string, filter: Filter): ListOpener<TeamRow> {
  return async (reading) => {
    const model = await modelOf(reading);
    const member = findMember(model, user);
    if (member === undefined) return undefined;
    const added = await newRecords(reading, filter.since, {
      name: `teams of ${user}`,
      kind: "teamMember",
      keyOf: (record) => (record.member === user ? record.team : undefined),
    });
    const isKept = await keptBy(model, filter, added);
    const { at, entries } = model.members.teams;
    const teams = entries
      .subarray(at[member], at[member + 1])
      .filter((membership) => isKept(membership >>> MEMBERSHIP));
    const order = {
      entries: teams,
      keyOf: (membership: number) => idOf(model, membership >>> MEMBERSHIP),
      isCounted: !isFiltering(filter),
    };
    return openOrdered(order, (membership) => ({
      team: teamNode(model, membership >>> MEMBERSHIP),
      role: (membership & 1) === 1 ? "owner" : "member",
    }));
  };
}

export function allTeams(filter: Filter): ListOpener<TeamRow> {
  return async (reading) => {
    const model = await modelOf(reading);
    const added = await newRecords(reading, filter.since, {
      name: "teams",
      kind: "team",
      keyOf: ({ team }) => team,
    });
    const isKept = await keptBy(model, filter, added);
    const teams = Uint32Array.from(model.teams.ids.keys()).filter(isKept);
    return openOrdered({ entries: teams, keyOf: (team) => idOf(model, team), isCounted: true }, (team) => ({
      team: teamNode(model, team),
    }));
  };
}

function idOf({ teams }: Model, team: number): string {
  return teams.ids[team] ?? "";
}

/** Tests whether a team passes the filter `q`, and is `added` if that is given. */
async function keptBy(
  model: Model,
  { q }: Filter,
  added: ReadonlySet<string> | undefined,
): Promise<(team: number) => boolean> {
  const named = q === "" ? undefined : await workInTurns(numbersMatching(model, "team", queryOf(q)));
  return (team) => (named === undefined || isAmong(named, team)) && added?.has(idOf(model, team)) !== false;
}
