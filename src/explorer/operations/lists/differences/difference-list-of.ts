/**
 * Selects a list of differences: without a source of access, within a team, between two people, between two revisions,
 * or the spaces that a team opens.
 */
import { ApiError } from "../../../../domain/error.ts";
import { absent } from "../../../../operations/authorize.ts";
import type { Filter } from "../../../queries/filters/filter.ts";
import { mayList, mustSeeAll } from "../../allow.ts";
import { compared, openedByTeam, type Scope } from "./compare.ts";
import { mayLeaveOut, withoutIn } from "../../parameters/leave-out.ts";
import { betweenIn, THINGS } from "../../past/thing.ts";
import { changedThings } from "./changed-things.ts";
import { changedRows } from "./changes.ts";
import type { Named } from "../named.ts";
import type { Query } from "../../operation.ts";
import { idOf, isContent, keyIn, only, subjectOf, wordOf } from "../../parameters/read.ts";
import { concerned, pairs, teamOn, withoutOn } from "./without.ts";

const filter: Filter = { q: "", reasons: [] };

/** Returns `undefined` if the query selects another list. Throws 400 for invalid parameters. */
export function differenceListOf(query: Query, shared: readonly string[]): Named | undefined {
  const tab = query.get("tab");
  if (query.has("without")) return withoutList(query, shared);
  if (tab === "within") return withinList(query, shared);
  if (tab === "compare") return compareList(query, shared);
  if (tab === "changes" || query.get("list") === "changes") return changesList(query, shared);
  if (tab === "reach") return reachList(query, shared);
  return undefined;
}

function withoutList(query: Query, shared: readonly string[]): Named {
  const without = withoutIn(query);
  if (query.has("list")) {
    const which = wordOf(query, "list", ["contents", "pairs"]);
    only(query, ["list", "without", ...shared]);
    return {
      list: which === "contents" ? concerned(without) : pairs(without),
      subject: undefined,
      filter,
      allow: (asker) => mayLeaveOut(asker, without, undefined),
    };
  }
  const subject = subjectOf(query, CONTENTS);
  wordOf(query, "tab", ["without"]);
  only(query, [subject.kind, "tab", "without", ...shared]);
  return {
    list: withoutOn(keyIn(subject), without),
    subject,
    filter,
    allow: (asker) => mayLeaveOut(asker, without, subject),
  };
}

const CONTENTS = ["space", "collection"] as const;

function withinList(query: Query, shared: readonly string[]): Named {
  const subject = subjectOf(query, CONTENTS);
  const team = idOf(query, "within");
  only(query, [subject.kind, "tab", "within", ...shared]);
  return {
    list: teamOn(keyIn(subject), team),
    subject,
    filter,
    async allow(asker) {
      await mayList(asker, subject);
      await mayList(asker, { kind: "team", id: team });
    },
  };
}

function compareList(query: Query, shared: readonly string[]): Named {
  const subject = subjectOf(query, ["member", "collection", "site"]);
  const ofMember = subject.kind === "member";
  only(query, [subject.kind, "tab", "with", ...(ofMember ? [] : ["user"]), ...shared]);
  const one = ofMember ? subject.id : idOf(query, "user");
  const other = ofMember || query.has("with") ? idOf(query, "with") : undefined;
  if (one === other) {
    throw new ApiError("badRequest", "The parameter with names the same person; accepted: somebody else.");
  }
  const { kind, id } = subject;
  const scope: Scope = kind === "collection" || kind === "site" ? { kind, id } : undefined;
  return {
    list: compared(one, other, scope),
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

function changesList(query: Query, shared: readonly string[]): Named {
  const between = betweenIn(query);
  if (query.has("list")) {
    only(query, ["list", "earlier", "later", ...shared]);
    return {
      list: changedThings(undefined, between),
      subject: undefined,
      filter,
      allow: async (asker) => mustSeeAll(asker, "ask about all contents"),
    };
  }
  const subject = subjectOf(query, THINGS);
  const team = isContent(subject) && query.has("through") ? idOf(query, "through") : undefined;
  const more = isContent(subject) ? (["through"] as const) : [];
  only(query, [subject.kind, "tab", "earlier", "later", ...more, ...shared]);
  const { kind, id } = subject;
  return {
    list: kind === "team" ? changedThings(id, between) : changedRows(subject, between, team),
    subject,
    filter,
    async allow(asker) {
      await mayList(asker, subject);
      if (team !== undefined) await mayList(asker, { kind: "team", id: team });
    },
  };
}

function reachList(query: Query, shared: readonly string[]): Named {
  const subject = subjectOf(query, ["team"]);
  only(query, ["team", "tab", ...shared]);
  if (subject.kind !== "team") throw absent(subject.kind, subject.id);
  return { list: openedByTeam(subject.id), subject, filter, allow: (asker) => mayList(asker, subject) };
}
