/** Checks that the records to which others refer, and the records to remove, exist (contract, sections 8 and 11). */
import { type ContentKey, contentKey, idOf, kindOf } from "../../../../domain/content.ts";
import { decodeContent } from "../../../schema/encoding.ts";
import type { Edits, FileEntry, FileEntries } from "../edits.ts";
import type { Fault } from "./fault.ts";
import { isInOutcome, type Present } from "../lookup/mentioned.ts";
import { namesOf, type Pair } from "../pair.ts";

/** The faults of records that refer to a missing record or remove one. */
export function referenceFaults(edits: Edits, present: Present): Fault[] {
  const faults: Fault[] = [];
  const of = `of organization ${edits.organization}`;
  const add = (line: number, field: string, value: string, accepted: string) => {
    faults.push({ line, field, value, accepted });
  };
  const isMember = (id: string) => isInOutcome(edits.members, present.members, id);
  const isTeam = (id: string) => isInOutcome(edits.teams, present.teams, id);
  const isContent = (key: ContentKey) => isInOutcome(edits.contents, present.contents, key);
  const isSite = (id: string) => isInOutcome(edits.sites, present.sites, id);

  for (const [id, { line }] of edits.users) {
    if (!isMember(id)) add(line, "user.id", id, `a member ${of}`);
  }
  for (const [id, { line, becomes }] of edits.members) {
    if (present.members.has(id)) continue;
    if (becomes === undefined) add(line, "member.user", id, `a member ${of}, since the record removes one`);
    else if (!edits.users.has(id))
      add(line, "member.user", id, "a user with a record in this file, or who is a member");
  }
  for (const [id, said] of edits.teams) {
    if (isVain(said, present.teams, id))
      add(said.line, "team.id", id, `a team ${of}, since the record removes one`);
  }
  for (const [key, said] of edits.contents) {
    const kind = kindOf(key);
    if (isVain(said, present.contents, key)) {
      add(said.line, `${kind}.id`, idOf(key), `a ${kind} ${of}, since the record removes one`);
    }
    const parent = said.becomes?.parent;
    if (parent !== undefined && !isContent(parent)) {
      add(said.line, `${kind}.parent`, idOf(parent), `the id of a collection ${of}`);
    }
  }
  for (const [id, said] of edits.sites) {
    if (isVain(said, present.sites, id))
      add(said.line, "site.id", id, `a site ${of}, since the record removes one`);
  }
  each(
    edits.teamMembers,
    present.teamMembers,
    "teamMember.user",
    "pair of team and user",
    (team, user, line) => {
      if (!isTeam(team)) add(line, "teamMember.team", team, `a team ${of}`);
      if (!isMember(user)) add(line, "teamMember.user", user, `a member ${of}`);
    },
  );
  each(
    edits.siteSpaces,
    present.siteSpaces,
    "siteSpace.space",
    "pair of site and space",
    (site, space, line) => {
      if (!isSite(site)) add(line, "siteSpace.site", site, `a site ${of}`);
      if (!isContent(contentKey("space", space))) add(line, "siteSpace.space", space, `a space ${of}`);
    },
  );
  const onContent = (content: string, line: number) => {
    const key = decodeContent(content);
    const kind = kindOf(key);
    if (!isContent(key)) add(line, `permission.${kind}`, idOf(key), `a ${kind} ${of}`);
  };
  each(
    edits.userGrants,
    present.userGrants,
    "permission.user",
    "pair of content and user",
    (content, user, line) => {
      onContent(content, line);
      if (!isMember(user)) add(line, "permission.user", user, `a member ${of}`);
    },
  );
  each(
    edits.teamGrants,
    present.teamGrants,
    "permission.team",
    "pair of content and team",
    (content, team, line) => {
      onContent(content, line);
      if (!isTeam(team)) add(line, "permission.team", team, `a team ${of}`);
    },
  );
  return faults;

  /** Calls `check` for each pair that the file adds or changes, and reports removals of missing pairs. */
  function each(
    said: FileEntries<unknown>,
    there: ReadonlyMap<Pair, unknown>,
    field: string,
    what: string,
    check: (first: string, second: string, line: number) => void,
  ): void {
    for (const [pair, one] of said) {
      const [first, second] = namesOf(pair);
      if (one.becomes !== undefined) check(first, second, one.line);
      else if (!there.has(pair)) {
        add(one.line, field, second, `a ${what} ${of} (here with ${first}), since the record removes one`);
      }
    }
  }
}

/** Whether an entry removes a record that does not exist. */
function isVain<Key>({ becomes }: FileEntry<unknown>, present: ReadonlyMap<Key, unknown>, key: Key): boolean {
  return becomes === undefined && !present.has(key);
}
