/** Computes the records that a change file adds, changes or removes. */
import { kindOf } from "../../../domain/content.ts";
import type { Role } from "../../../domain/role.ts";
import type { MemberRecord, StoredChange, Versions } from "../change/record-change.ts";
import { decodeContent } from "../../schema/encoding.ts";
import type { Edits, FileEntry } from "./edits.ts";
import type { Present } from "./lookup/mentioned.ts";
import { namesOf, type Pair } from "./pair.ts";
import type { RemovedDependents } from "./removals.ts";
import { count, type RecordCounts, type CountsByKind } from "./record-counts.ts";

/** The changes of a valid file. Adds their numbers to `counts`. */
export function recordChanges(
  edits: Edits,
  present: Present,
  along: RemovedDependents,
  counts: CountsByKind,
): StoredChange[] {
  const changes: StoredChange[] = memberChanges(edits, present, counts);
  const same = (one: unknown, other: unknown) => one === other;
  const sameDoc = (one: { readonly doc: string }, other: { readonly doc: string }) => one.doc === other.doc;

  each(
    edits.teams,
    present.teams,
    () => counts.team,
    sameDoc,
    (team, versions) => changes.push({ kind: "team", team, ...versions }),
  );
  each(
    edits.contents,
    present.contents,
    (key) => counts[kindOf(key)],
    sameDoc,
    (content, versions) => changes.push({ kind: "content", content, ...versions }),
  );
  each(
    edits.sites,
    present.sites,
    () => counts.site,
    same,
    (site, versions) => changes.push({ kind: "site", site, ...versions }),
  );
  each(edits.teamMembers, present.teamMembers, () => counts.teamMember, same, teamMember);
  each(edits.siteSpaces, present.siteSpaces, () => counts.siteSpace, same, siteSpace);
  each(edits.userGrants, present.userGrants, () => counts.permission, same, userGrant);
  each(edits.teamGrants, present.teamGrants, () => counts.permission, same, teamGrant);
  go(along.teamMembers, counts.teamMember, teamMember);
  go(along.siteSpaces, counts.siteSpace, siteSpace);
  go(along.userGrants, counts.permission, userGrant);
  go(along.teamGrants, counts.permission, teamGrant);
  return changes;

  function teamMember(pair: Pair, versions: Versions<string>): void {
    const [team, member] = namesOf(pair);
    changes.push({ kind: "teamMember", team, member, ...versions });
  }
  function siteSpace(pair: Pair, versions: Versions<true>): void {
    const [site, space] = namesOf(pair);
    changes.push({ kind: "siteSpace", site, space, ...versions });
  }
  function userGrant(pair: Pair, versions: Versions<Role>): void {
    const [content, member] = namesOf(pair);
    changes.push({ kind: "userGrant", content: decodeContent(content), member, ...versions });
  }
  function teamGrant(pair: Pair, versions: Versions<Role>): void {
    const [content, team] = namesOf(pair);
    changes.push({ kind: "teamGrant", content: decodeContent(content), team, ...versions });
  }
}

/** Counts each entry of the file, and calls `take` for each record that changes. */
function each<Key, Stored>(
  said: ReadonlyMap<Key, FileEntry<Stored>>,
  present: ReadonlyMap<Key, Stored>,
  countsOf: (key: Key) => RecordCounts,
  same: (before: Stored, after: Stored) => boolean,
  take: (key: Key, versions: Versions<Stored>) => void,
): void {
  for (const [key, { becomes: after }] of said) {
    const before = present.get(key);
    const equal = before !== undefined && after !== undefined && same(before, after);
    count(countsOf(key), before, after, equal);
    if (!equal) take(key, { before, after });
  }
}

function go<Stored>(
  going: ReadonlyMap<Pair, Stored>,
  counts: RecordCounts,
  take: (pair: Pair, versions: Versions<Stored>) => void,
): void {
  for (const [pair, before] of going) {
    counts.removed++;
    take(pair, { before, after: undefined });
  }
}

/** Combines members and users, which are two kinds of records in a file and one in the database. */
function memberChanges(edits: Edits, present: Present, counts: CountsByKind): StoredChange[] {
  const changes: StoredChange[] = [];
  for (const member of new Set([...edits.members.keys(), ...edits.users.keys()])) {
    const before = present.members.get(member);
    const after = memberAfter(edits, before, member);
    const membership = edits.members.get(member);
    const sameRole = before !== undefined && before.role === after?.role;
    const sameUser = before !== undefined && before.doc === after?.doc;
    if (membership !== undefined) count(counts.member, before, after, sameRole);
    if (edits.users.has(member) || after === undefined) count(counts.user, before, after, sameUser);
    if (!sameRole || !sameUser) changes.push({ kind: "member", member, before, after });
  }
  return changes;
}

function memberAfter(edits: Edits, before: MemberRecord | undefined, id: string): MemberRecord | undefined {
  const said = edits.members.get(id);
  if (said !== undefined && said.becomes === undefined) return undefined;
  const user = edits.users.get(id);
  const described = user === undefined ? before : { doc: user.text, omitted: user.omitted };
  const role = said?.becomes?.role ?? (said === undefined ? before?.role : null);
  if (described === undefined || role === undefined) return undefined;
  return { role, doc: described.doc, omitted: described.omitted };
}
