/**
 * Selects a list of differences: without a source of access, within a team, between two people, between two revisions,
 * or the spaces that a team opens.
 */
import { ApiError } from "../../domain/error.ts";
import { absent } from "../../operations/authorize.ts";
import { type Filter, idIn, isContent, keyIn, only, subjectOf, wordOf } from "./query.ts";
import { mayList, mustSeeAll } from "./viewer.ts";
import { compared, openedByTeam, type Scope } from "./compared.ts";
import { mayLeaveOut, withoutIn } from "./without.ts";
import { betweenIn, THINGS } from "./past.ts";
import { changedThings } from "./changed-things.ts";
import { changedRows } from "./changed-rows.ts";
import type { Named } from "./selected-list.ts";
import type { Query } from "./query.ts";
import { teamOn } from "./people.ts";
import { concerned, pairs, withoutOn } from "./without-lists.ts";

/** The filters of what decides a role. */
const ACCESS = ["q", "role", "least", "reason", "through"] as const;
const PEOPLE = [...ACCESS, "guests"] as const;

/**
 * The list of differences that a query selects; `undefined` if it selects another list. Throws 400 for invalid
 * parameters.
 */
export function differenceListOf(query: Query, filter: Filter, shared: readonly string[]): Named | undefined {
  const tab = query.get("tab");
  if (query.has("without")) return withoutList(query, filter, shared);
  if (tab === "within") return withinList(query, filter, shared);
  if (tab === "compare") return compareList(query, filter, shared);
  if (tab === "changes" || query.get("list") === "changes") return changesList(query, filter, shared);
  if (tab === "reach") return reachList(query, filter, shared);
  return undefined;
}

function withoutList(query: Query, filter: Filter, shared: readonly string[]): Named {
  const without = withoutIn(query);
  if (query.has("list")) {
    const which = wordOf(query, "list", ["contents", "pairs"]);
    only(query, ["list", "without", ...(which === "contents" ? ["q"] : [...PEOPLE, "change"]), ...shared]);
    return {
      list: which === "contents" ? concerned(without, filter) : pairs(without, filter),
      subject: undefined,
      filter,
      allow: (asker) => mayLeaveOut(asker, without, undefined),
    };
  }
  const subject = subjectOf(query, CONTENTS);
  wordOf(query, "tab", ["without"]);
  only(query, [subject.kind, "tab", "without", ...PEOPLE, "change", ...shared]);
  return {
    list: withoutOn(keyIn(subject), without, filter),
    subject,
    filter,
    allow: (asker) => mayLeaveOut(asker, without, subject),
  };
}

const CONTENTS = ["space", "collection"] as const;

function withinList(query: Query, filter: Filter, shared: readonly string[]): Named {
  const subject = subjectOf(query, CONTENTS);
  const team = idIn(query, "within");
  only(query, [subject.kind, "tab", "within", ...PEOPLE, "sort", ...shared]);
  return {
    list: teamOn(keyIn(subject), team, filter),
    subject,
    filter,
    async allow(asker) {
      await mayList(asker, subject);
      await mayList(asker, { kind: "team", id: team });
    },
  };
}

function compareList(query: Query, filter: Filter, shared: readonly string[]): Named {
  const subject = subjectOf(query, ["member", "collection", "site"]);
  const ofMember = subject.kind === "member";
  const more = ofMember ? [] : ["user"];
  only(query, [subject.kind, "tab", "with", ...more, ...ACCESS, "deleted", "differs", ...shared]);
  const one = ofMember ? subject.id : idIn(query, "user");
  const other = ofMember || query.has("with") ? idIn(query, "with") : undefined;
  if (one === other) {
    throw new ApiError("badRequest", "The parameter with names the same person; accepted: somebody else.");
  }
  const { kind, id } = subject;
  const scope: Scope = kind === "collection" || kind === "site" ? { kind, id } : undefined;
  return {
    list: compared(one, other, scope, filter),
    subject,
    filter,
    async allow(asker) {
      mustSeeAll(asker, "compare people");
      await mayList(asker, subject);
      for (const user of other === undefined ? [one] : [one, other]) {
        await mayList(asker, { kind: "member", id: user });
      }
    },
  };
}

/** The filters of every list of changes. `through` is the team whose changed records caused the difference. */
const CHANGES = ["q", "role", "change"] as const;

function changesList(query: Query, filter: Filter, shared: readonly string[]): Named {
  const between = betweenIn(query);
  if (filter.guests === "none") {
    throw new ApiError("badRequest", 'The parameter guests is "none"; lists of changes accept: only.');
  }
  if (query.has("list")) {
    only(query, ["list", "earlier", "later", ...CHANGES, "guests", ...shared]);
    return {
      list: changedThings(undefined, between, filter),
      subject: undefined,
      filter,
      allow: async (asker) => mustSeeAll(asker, "ask about all contents"),
    };
  }
  const subject = subjectOf(query, THINGS);
  const { kind, id } = subject;
  const team = isContent(subject) && query.has("through") ? idIn(query, "through") : undefined;
  const more = isContent(subject)
    ? ["guests", "reason", "through"]
    : kind === "member"
      ? ["reason"]
      : ["guests"];
  only(query, [kind, "tab", "earlier", "later", ...CHANGES, ...more, ...shared]);
  return {
    list: kind === "team" ? changedThings(id, between, filter) : changedRows(subject, between, filter),
    subject,
    filter,
    async allow(asker) {
      await mayList(asker, subject);
      if (team !== undefined) await mayList(asker, { kind: "team", id: team });
    },
  };
}

function reachList(query: Query, filter: Filter, shared: readonly string[]): Named {
  const subject = subjectOf(query, ["team"]);
  only(query, ["team", "tab", "q", "role", "least", "deleted", ...shared]);
  if (subject.kind !== "team") throw absent(subject.kind, subject.id);
  return {
    list: openedByTeam(subject.id, filter),
    subject,
    filter,
    allow: (asker) => mayList(asker, subject),
  };
}
