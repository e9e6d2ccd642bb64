/** Each record that a change file adds, changes or removes, before and after. */
import { kindOf } from "../../../domain/content.ts";
import type { Role } from "../../../domain/role.ts";
import type { MemberRecord, RecordChange, Versions } from "../change/record-change.ts";
import { decodeContent } from "../../schema/encoding.ts";
import type { Edits, Said } from "./edits.ts";
import type { Present } from "./lookup/mentioned.ts";
import { namesOf, type Pair } from "./pair.ts";
import type { GoingAlong } from "./removals.ts";
import { count, type Tally, type Tallies } from "./record-counts.ts";

/** The changes, all counted in `tallies`. What the file names has been found valid. */
export function recordChanges(
  edits: Edits,
  present: Present,
  along: GoingAlong,
  tallies: Tallies,
): RecordChange[] {
  const changes: RecordChange[] = memberChanges(edits, present, tallies);
  const same = (one: unknown, other: unknown) => one === other;
  const sameDoc = (one: { readonly doc: string }, other: { readonly doc: string }) => one.doc === other.doc;

  each(
    edits.teams,
    present.teams,
    () => tallies.team,
    sameDoc,
    (team, versions) => changes.push({ kind: "team", team, ...versions }),
  );
  each(
    edits.contents,
    present.contents,
    (key) => tallies[kindOf(key)],
    sameDoc,
    (content, versions) => changes.push({ kind: "content", content, ...versions }),
  );
  each(
    edits.sites,
    present.sites,
    () => tallies.site,
    same,
    (site, versions) => changes.push({ kind: "site", site, ...versions }),
  );
  each(edits.teamMembers, present.teamMembers, () => tallies.teamMember, same, teamMember);
  each(edits.siteSpaces, present.siteSpaces, () => tallies.siteSpace, same, siteSpace);
  each(edits.userGrants, present.userGrants, () => tallies.permission, same, userGrant);
  each(edits.teamGrants, present.teamGrants, () => tallies.permission, same, teamGrant);
  go(along.teamMembers, tallies.teamMember, teamMember);
  go(along.siteSpaces, tallies.siteSpace, siteSpace);
  go(along.userGrants, tallies.permission, userGrant);
  go(along.teamGrants, tallies.permission, teamGrant);
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

/** What the file says of some keys, counted; `take` hears of what differs. */
function each<Key, Stored>(
  said: ReadonlyMap<Key, Said<Stored>>,
  present: ReadonlyMap<Key, Stored>,
  tallyOf: (key: Key) => Tally,
  same: (before: Stored, after: Stored) => boolean,
  take: (key: Key, versions: Versions<Stored>) => void,
): void {
  for (const [key, { becomes: after }] of said) {
    const before = present.get(key);
    const equal = before !== undefined && after !== undefined && same(before, after);
    count(tallyOf(key), before, after, equal);
    if (!equal) take(key, { before, after });
  }
}

function go<Stored>(
  going: ReadonlyMap<Pair, Stored>,
  tally: Tally,
  take: (pair: Pair, versions: Versions<Stored>) => void,
): void {
  for (const [pair, before] of going) {
    tally.removed++;
    take(pair, { before, after: undefined });
  }
}

/** A member and what is said of the user are two records of a file, and one that is stored. */
function memberChanges(edits: Edits, present: Present, tallies: Tallies): RecordChange[] {
  const changes: RecordChange[] = [];
  for (const member of new Set([...edits.members.keys(), ...edits.users.keys()])) {
    const before = present.members.get(member);
    const after = memberAfter(edits, before, member);
    const membership = edits.members.get(member);
    const sameRole = before !== undefined && before.role === after?.role;
    const sameUser = before !== undefined && before.doc === after?.doc;
    if (membership !== undefined) count(tallies.member, before, after, sameRole);
    if (edits.users.has(member) || after === undefined) count(tallies.user, before, after, sameUser);
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
