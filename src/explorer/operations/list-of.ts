import { ApiError } from "../../domain/error.ts";
import { mayList, mustSeeAll } from "./allow.ts";
import {
  allMembers,
  allTeams,
  everyone,
  everyoneOnSite,
  type List,
  membersOf,
  peopleGiven,
  permissionsOf,
  reachOf,
  spacesOf,
  teamsGiven,
  teamsOf,
} from "./lists.ts";
import type { Asking, ParameterName, Query } from "./operation.ts";
import { isContent, keyOf, KINDS, only, roleOf, type Subject, subjectOf, textOf, wordOf } from "./read.ts";

/** A list that a query names. */
export interface Named {
  readonly list: List<object>;
  /** What it is of; absent for the lists of the whole organization. */
  readonly subject: Subject | undefined;
  /** Throws 403 and 404 where the caller may not have it (contract, section 7). */
  allow(asker: Pick<Asking, "caller" | "viewer" | "current">): Promise<void>;
}

/** The parameters of `access` and `csv`. */
export const LIST_PARAMETERS: readonly ParameterName[] = [...KINDS, "list", "tab", "role", "order", "q"];

/** The list that a query names; `shared` are parameters that every list has. Throws 400 where it names none. */
export function listOf(query: Query, shared: readonly string[]): Named {
  const check = (...names: ParameterName[]) => only(query, [...names, ...shared]);
  if (query.has("list")) {
    const which = wordOf(query, "list", ["members", "teams"]);
    check("list", "q");
    const q = textOf(query);
    return {
      list: which === "members" ? allMembers(q) : allTeams(q),
      subject: undefined,
      allow: async (asker) => mustSeeAll(asker, `list ${which}`),
    };
  }
  if (!KINDS.some((kind) => query.has(kind))) {
    throw new ApiError("badRequest", `A list is of something; accepted: one of ${KINDS.join(", ")}, list.`);
  }
  const subject = subjectOf(query);
  return { list: tabOf(query, subject, check), subject, allow: (asker) => mayList(asker, subject) };
}

function tabOf(query: Query, subject: Subject, check: (...names: ParameterName[]) => void): List<object> {
  const { kind, id } = subject;
  if (isContent(subject)) {
    const key = keyOf(subject);
    const tab = wordOf(query, "tab", ["everyone", "people", "teams"]);
    if (tab === "everyone") check(kind, "tab", "role");
    else check(kind, "tab");
    if (tab === "everyone") return everyone(key, roleOf(query));
    return tab === "people" ? peopleGiven(key) : teamsGiven(key);
  }
  if (kind === "site") {
    const tab = wordOf(query, "tab", ["everyone", "spaces"]);
    if (tab === "everyone") check(kind, "tab", "role");
    else check(kind, "tab");
    return tab === "everyone" ? everyoneOnSite(id, roleOf(query)) : spacesOf(id);
  }
  if (kind === "member") {
    const tab = wordOf(query, "tab", ["spaces", "teams"]);
    if (tab === "spaces") check(kind, "tab", "role", "order");
    else check(kind, "tab", "q");
    if (tab === "teams") return teamsOf(id, textOf(query));
    return reachOf(id, roleOf(query), wordOf(query, "order", ["desc", "asc"]));
  }
  const tab = wordOf(query, "tab", ["permissions", "members"]);
  check(kind, "tab");
  return tab === "permissions" ? permissionsOf(id) : membersOf(id);
}
