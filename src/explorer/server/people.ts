/** Lists of people: with access to a content or site, with a direct permission, in a team, and all members. */
import { type ContentKey, idOf } from "../../domain/content.ts";
import { reasonOf } from "../../domain/reason.ts";
import { rank, roleOf } from "../../domain/role.ts";
import { queryOf } from "../../domain/search.ts";
import { isAmong, lengthOf, listIn, MEMBERSHIP, PERMISSION, valueIn } from "../../model/lists.ts";
import {
  findContent,
  findSite,
  findTeam,
  keyOf,
  memberId,
  type Model,
  NOTHING,
  organizationRole,
} from "../../model/model.ts";
import { numbersMatching } from "../../model/names.ts";
import { ROLE } from "../../model/code.ts";
import { personIn, titlesIn } from "../../model/records.ts";
import { decisionsOn, ladderOn } from "../../model/why.ts";
import { modelOf } from "../../store/models.ts";
import type { Reading } from "../../store/reading.ts";
import { workInTurns } from "../../store/turns.ts";
import type { AccessRow, MemberRow, SitePersonRow, TeamMemberRow } from "../wire/lists.ts";
import { type AccessOrder, type ListOpener, type Opened, mapped, openOrdered, orderOf } from "./list.ts";
import { FilteredList, type Listed } from "./listed.ts";
import { type Audience, newPeople, newRecords } from "./newcomers.ts";
import { type Filter, isFiltering } from "./query.ts";

export function everyoneOn(key: ContentKey): Audience {
  return (model) => {
    const content = findContent(model, key);
    return content === undefined ? undefined : { of: "content", content };
  };
}

export function everyoneOnSite(id: string): Audience {
  return (model) => {
    const site = findSite(model, id);
    return site === undefined ? undefined : { of: "site", site };
  };
}

/** Everybody with access to a content, with their effective role; on a site, with their highest role on its spaces. */
export function everyone(audience: Audience, filter: Filter): ListOpener<AccessRow> {
  return async (reading) => {
    const { model, subject, list } = await opened(reading, audience, filter);
    if (subject === undefined || list === undefined) return undefined;
    return peopleByRole(
      list,
      filter,
      explained(model, subject.of === "content" ? subject.content : undefined),
    );
  };
}

/** The members of a team, by their effective role on a content. */
export function teamOn(key: ContentKey, id: string, filter: Filter): ListOpener<AccessRow> {
  return async (reading) => {
    const model = await modelOf(reading);
    const on = findContent(model, key);
    if (on === undefined) return undefined;
    // At a past revision, the team may not exist.
    const team = findTeam(model, id) ?? model.teams.count;
    const list = new FilteredList(model, { of: "team", team, on }, filter);
    return peopleByRole(list, filter, explained(model, on));
  };
}

/** The people with a direct permission on a content. */
export function peopleGiven(key: ContentKey, filter: Filter): ListOpener<AccessRow> {
  const given: Audience = (model) => {
    const content = findContent(model, key);
    return content === undefined ? undefined : { of: "given", content };
  };
  return async (reading) => {
    const { model, subject, list } = await opened(reading, given, filter);
    if (subject?.of !== "given" || list === undefined) return undefined;
    const [level] = ladderOn(model, subject.content);
    const titles = titlesIn(model);
    const rows = (some: readonly Listed[]): AccessRow[] =>
      some.map(({ at, role }) => ({
        user: personIn(model, at),
        role,
        reason: reasonOf(key, { role, rule: "direct", ...(level && { level }) }, titles),
      }));
    return peopleByRole(list, filter, rows, lengthOf(model.contents.users, subject.content));
  };
}

/** The people with a direct permission on a site, by user id. */
export function peopleOnSite(id: string, filter: Filter): ListOpener<SitePersonRow> {
  return async (reading) => {
    const model = await modelOf(reading);
    const site = findSite(model, id);
    if (site === undefined) return undefined;
    const added = await newRecords(reading, filter.since, {
      name: `people on site ${id}`,
      kind: "permission",
      keyOf: ({ site: on, member }) => (on === id ? member : undefined),
    });
    const named =
      filter.q === "" ? undefined : await workInTurns(numbersMatching(model, "member", queryOf(filter.q)));
    const isKept = (member: number) =>
      (named === undefined || isAmong(named, member)) && added?.has(memberId(model, member)) !== false;
    const given = listIn(model.sites.users, site);
    const kept = isFiltering(filter) ? given.filter((entry) => isKept(entry >>> PERMISSION)) : given;
    const keyOf = (entry: number) => memberId(model, entry >>> PERMISSION);
    return openOrdered({ entries: kept, keyOf, isCounted: true }, (entry) => ({
      user: personIn(model, entry >>> PERMISSION),
      role: (entry & ROLE) === NOTHING ? "none" : roleOf(entry & ROLE),
    }));
  };
}

export function membersOf(id: string, filter: Filter): ListOpener<TeamMemberRow> {
  const members: Audience = (model) => {
    const team = findTeam(model, id);
    return team === undefined ? undefined : { of: "team", team };
  };
  return async (reading) => {
    const { model, subject, list } = await opened(reading, members, filter);
    if (subject?.of !== "team" || list === undefined) return undefined;
    const total = isFiltering(filter) ? undefined : lengthOf(model.teams.members, subject.team);
    return peopleById(list, total, ({ at }): TeamMemberRow => {
      const isOwner = valueIn(model.members.teams, at, subject.team, MEMBERSHIP) === 1;
      return { user: personIn(model, at), role: isOwner ? "owner" : "member" };
    });
  };
}

/** All members, by user id. `role` is the organization role. */
export function allMembers({ role, ...filter }: Filter): ListOpener<MemberRow> {
  const members: Audience = () => ({ of: "organization", ...(role && { role: rank(role) }) });
  return async (reading) => {
    const { model, list } = await opened(reading, members, filter, () => ({ of: "organization" }));
    const { counts } = reading.at;
    const all = role === undefined ? counts.members : counts.roles[role];
    return (
      list &&
      peopleById(list, isFiltering(filter) ? undefined : all, ({ at }): MemberRow => ({
        user: personIn(model, at),
        role: organizationRole(model, at),
      }))
    );
  };
}

/**
 * The filtered list of people. With the filter `since`, only those who were not in `wider`, or had a lower role there, at
 * the last revision before that time.
 */
async function opened(reading: Reading, audience: Audience, filter: Filter, wider = audience) {
  const model = await modelOf(reading);
  const subject = audience(model);
  const newSince = (time: string) => newPeople(reading, time, model, wider);
  return { model, subject, list: subject && new FilteredList(model, subject, filter, { newSince }) };
}

/** Opens a list of people that is always sorted by user id. */
function peopleById<Row>(
  list: FilteredList,
  total: number | undefined,
  rowOf: (one: Listed) => Row,
): Opened<Row> {
  return {
    ...(total === undefined ? {} : { total }),
    page: async (request) => mapped(await list.page(request, false), (one) => [rowOf(one)]),
    count: async () => ({ total: await list.total() }),
    keyOf: (row) => list.keyOf(row, false),
  };
}

/**
 * Opens a list of users with roles; the filter and the request decide whether it is sorted by role and id, or by id
 * only.
 */
function peopleByRole(
  list: FilteredList,
  filter: Filter,
  rowsOf: (some: readonly Listed[]) => readonly AccessRow[],
  total?: number,
): Opened<AccessRow> {
  const isByRole = (asked: AccessOrder) => orderOf(filter, asked) === "shown" && filter.role === undefined;
  return {
    ...(total === undefined || isFiltering(filter) ? {} : { total }),
    async page(request, asked) {
      const page = await list.page(request, isByRole(asked));
      return { ...page, entries: rowsOf(page.entries) };
    },
    count: async () => ({ total: await list.total(), roles: await list.counts() }),
    keyOf: (row, asked) => list.keyOf(row, isByRole(asked)),
  };
}

/** People with what gives them their role on a content; on a site, on the space that gives it. */
function explained(model: Model, content: number | undefined): (some: readonly Listed[]) => AccessRow[] {
  const titles = titlesIn(model);
  return (some) => {
    const deciding = new Map<number, ReturnType<typeof decisionsOn>>();
    return some.map(({ at, role, space }) => {
      const on = content ?? space ?? 0;
      const decide = deciding.get(on) ?? decisionsOn(model, on);
      deciding.set(on, decide);
      const decision = decide(at);
      const key = keyOf(model, on);
      if (decision === undefined) throw new Error(`Nothing gives member ${at} the role ${role} on ${key}.`);
      const named = content === undefined ? { id: idOf(key), title: titles.content(key) } : undefined;
      return { user: personIn(model, at), role, reason: reasonOf(key, decision, titles, named) };
    });
  };
}
