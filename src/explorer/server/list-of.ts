import { ApiError } from "../../domain/error.ts";
import {
  FILTERS,
  type Filter,
  KINDS,
  type Subject,
  filterOf,
  isContent,
  keyOf,
  only,
  subjectOf,
  wordOf,
} from "./query.ts";
import { mayList, mustSeeAll } from "./viewer.ts";
import { differenceListOf } from "./difference-list-of.ts";
import { SETTINGS, contentsIn, contentsWith } from "./contents.ts";
import { found } from "./found.ts";
import type { List } from "./list.ts";
import type { Named } from "./selected-list.ts";
import { everyoneOn, everyoneOnSite } from "./newcomers.ts";
import { allMembers, everyone, membersOf, peopleGiven } from "./people.ts";
import { permissionsOf, reachOf, spacesOf } from "./spaces.ts";
import { allTeams, teamsGiven, teamsOf } from "./teams.ts";
import type { ParameterName, Query } from "./query.ts";

export const LIST_PARAMETERS: readonly ParameterName[] = [
  ...KINDS,
  "list",
  "show",
  "kind",
  "tab",
  "order",
  ...FILTERS,
  "without",
  "within",
  "user",
  "with",
  "earlier",
  "later",
];

/**
 * The list that a query selects. Every list accepts the parameters `shared`. Throws 400 if the query selects no list or
 * has a parameter that the list does not accept.
 */
export function listOf(query: Query, shared: readonly string[]): Named {
  const filter = filterOf(query);
  const check = (...names: ParameterName[]) => only(query, [...names, "q", "since", ...shared]);
  const difference = differenceListOf(query, filter, shared);
  if (difference !== undefined) return difference;
  if (query.has("list")) {
    const which = wordOf(query, "list", ["members", "teams", "contents", "found"]);
    if (which === "members") check("list", "role", "guests");
    else if (which === "teams") check("list");
    else if (which === "found") check("list", "kind");
    else check("list", "show");
    const lists = {
      members: () => allMembers(filter),
      teams: () => allTeams(filter),
      found: () => found(filter, query.has("kind") ? wordOf(query, "kind", KINDS) : undefined),
      contents: () => contentsWith(wordOf(query, "show", SETTINGS), filter),
    };
    return {
      list: lists[which](),
      subject: undefined,
      filter,
      allow: async (asker) => mustSeeAll(asker, `list ${which}`),
    };
  }
  if (!KINDS.some((kind) => query.has(kind))) {
    throw new ApiError(
      "badRequest",
      `The request names no list; accepted: one of ${KINDS.join(", ")}, list.`,
    );
  }
  const subject = subjectOf(query);
  const list = tabOf(query, subject, filter, check);
  return { list, subject, filter, allow: (asker) => mayList(asker, subject) };
}

/**
 * The filters of lists of people (`PEOPLE`) and of lists with reasons (`ACCESS`), besides `q` and `since`, which every
 * list has.
 */
const PEOPLE = ["role", "least", "guests", "sort"] as const;
const ACCESS = [...PEOPLE, "reason", "through"] as const;

function tabOf(
  query: Query,
  subject: Subject,
  filter: Filter,
  check: (...names: ParameterName[]) => void,
): List<object> {
  const { kind, id } = subject;
  if (isContent(subject)) {
    const key = keyOf(subject);
    if (kind === "collection" && query.get("tab") === "contents") {
      check(kind, "tab", "deleted");
      return contentsIn(id, filter);
    }
    const tab = wordOf(query, "tab", ["everyone", "people", "teams"]);
    const filters = {
      everyone: ACCESS,
      people: PEOPLE,
      teams: ["role", "least"],
    } as const;
    check(kind, "tab", ...filters[tab]);
    if (tab === "everyone") return everyone(everyoneOn(key), filter);
    return tab === "people" ? peopleGiven(key, filter) : teamsGiven(key, filter);
  }
  if (kind === "site") {
    const tab = wordOf(query, "tab", ["everyone", "spaces"]);
    if (tab === "everyone") check(kind, "tab", ...ACCESS);
    else check(kind, "tab", "deleted");
    return tab === "everyone" ? everyone(everyoneOnSite(id), filter) : spacesOf(id, filter);
  }
  if (kind === "member") {
    const tab = wordOf(query, "tab", ["spaces", "teams"]);
    if (tab === "teams") check(kind, "tab");
    else check(kind, "tab", "role", "least", "reason", "through", "deleted", "order", "sort");
    if (tab === "teams") return teamsOf(id, filter);
    return reachOf(id, filter, wordOf(query, "order", ["desc", "asc"]));
  }
  const tab = wordOf(query, "tab", ["permissions", "members"]);
  if (tab === "permissions") check(kind, "tab", "role", "least", "deleted");
  else check(kind, "tab", "guests");
  return tab === "permissions" ? permissionsOf(id, filter) : membersOf(id, filter);
}
