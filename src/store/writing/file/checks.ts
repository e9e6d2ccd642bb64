/** Checks the relations between the records of an import (docs/snapshot.md). */
import { type ContentKind, DEEPEST } from "../../../domain/content.ts";
import { groupOf, type Groups } from "./columns.ts";
import { OWNER_BIT, type Pairs, RANK_BITS, type Staged, type StagedRecords } from "./staged.ts";

/** A record that breaks a rule. */
export interface Violation {
  readonly line: number;
  readonly field: string;
  readonly value: string;
  readonly accepted: string;
  /**
   * The line of the first record with this key, and the owner of the value, such as `in team docs`. Only for a
   * duplicate.
   */
  readonly again?: { readonly line: number; readonly whose: string };
}

/** The maximum number of violations in a message. */
const MOST_NAMED = 20;

/** The first {@link MOST_NAMED} violations by line, and how many there are. */
export class Violations {
  readonly first: Violation[] = [];
  count = 0;

  add(violation: Violation): void {
    this.count++;
    let at = this.first.length;
    while (at > 0 && (this.first[at - 1]?.line ?? 0) > violation.line) at--;
    if (at >= MOST_NAMED) return;
    this.first.splice(at, 0, violation);
    this.first.length = Math.min(this.first.length, MOST_NAMED);
  }
}

/** What breaks the rules between staged records. */
export function violationsIn(staged: Staged): Violations {
  const found = new Violations();
  const members = staged.members.grouped(staged.users.length);
  checkOrganizations(staged, found);
  checkUsers(staged, found);
  checkMembers(staged, members, found);
  checkTeams(staged, found);
  checkMemberships(staged, members, found);
  checkContents(staged, found);
  checkSites(staged, found);
  checkSiteSpaces(staged, found);
  const [contents, sites] = [contentsOf(staged), sitesOf(staged)];
  checkUserPermissions(staged, members, staged.toUsers, contents, found);
  checkUserPermissions(staged, members, staged.toUsersOnSites, sites, found);
  checkTeamPermissions(staged, staged.toTeams, contents, found);
  checkTeamPermissions(staged, staged.toTeamsOnSites, sites, found);
  // Nesting can only be checked if all parents exist.
  if (found.count === 0) checkNesting(staged, found);
  return found;
}

const IN_IMPORT = "with a record in this import";

/** The rule that a key is unique. */
function checkRepeated<Item extends { readonly line: number }>(
  found: Violations,
  records: StagedRecords<Item>,
  namesOf: (item: Item) => { readonly field: string; readonly what: string; readonly idFrom: number },
): void {
  for (const [number, item] of records.repeated()) {
    const { field, what, idFrom } = namesOf(item);
    found.add({
      line: item.line,
      field,
      value: records.names.name(number).slice(idFrom),
      accepted: `each ${what} once in an import`,
      again: { line: records.get(number)?.line ?? 0, whose: "" },
    });
  }
}

/** The rule that the organization of a record has a record itself. */
function checkOrganization(
  { organizations }: Staged,
  found: Violations,
  field: string,
  organization: number,
  line: number,
): void {
  if (organizations.get(organization) !== undefined) return;
  const value = organizations.names.name(organization);
  found.add({ line, field, value, accepted: `an organization ${IN_IMPORT}` });
}

function checkOrganizations({ organizations }: Staged, found: Violations): void {
  checkRepeated(found, organizations, () => ({
    field: "organization.id",
    what: "organization id",
    idFrom: 0,
  }));
}

function checkUsers(staged: Staged, found: Violations): void {
  for (const { user, line } of staged.otherUsers) {
    found.add({
      line,
      field: "user.id",
      value: staged.users.name(user),
      accepted: "one description of each user (repeats must be identical)",
      again: { line: staged.lineOf(user), whose: "with another description" },
    });
  }
}

/**
 * The rule that a pair is unique. `groups` has the pairs by their first number; `bits` of the second number are not part
 * of the key.
 */
function checkRepeatedPairs(
  found: Violations,
  pairs: Pairs,
  groups: Groups,
  bits: number,
  say: (of: number, other: number) => Omit<Violation, "line" | "again"> & { readonly whose: string },
): void {
  for (let of = 0; of + 1 < groups.at.length; of++) {
    const places = groupOf(groups, of);
    if (places.length < 2) continue;
    const lines = new Map<number, number>();
    for (const place of places) {
      const other = pairs.with.at(place) >>> bits;
      const line = pairs.lines.at(place);
      const before = lines.get(other);
      if (before === undefined) lines.set(other, line);
      else {
        const { whose, ...violation } = say(of, other);
        found.add({ line, ...violation, again: { line: before, whose } });
      }
    }
  }
}

function checkMembers(staged: Staged, groups: Groups, found: Violations): void {
  const { members, users, organizations } = staged;
  checkRepeatedPairs(found, members, groups, RANK_BITS, (user, organization) => ({
    field: "member.user",
    value: users.name(user),
    accepted: "each pair of organization and user once in an import",
    whose: `of organization ${organizations.names.name(organization)}`,
  }));
  for (let place = 0; place < members.lines.length; place++) {
    const [user, line] = [members.of.at(place), members.lines.at(place)];
    checkOrganization(staged, found, "member.organization", members.with.at(place) >>> RANK_BITS, line);
    if (staged.hasUser(user)) continue;
    found.add({ line, field: "member.user", value: users.name(user), accepted: `a user ${IN_IMPORT}` });
  }
}

function checkTeams(staged: Staged, found: Violations): void {
  checkRepeated(found, staged.teams, () => ({ field: "team.id", what: "team id", idFrom: 0 }));
  for (const [, { organization, line }] of staged.teams)
    checkOrganization(staged, found, "team.organization", organization, line);
}

/** Whether a user is a member of an organization. `groups` has the members by user. */
function isMember({ members }: Staged, groups: Groups, user: number, organization: number): boolean {
  const end = groups.at[user + 1] ?? 0;
  for (let i = groups.at[user] ?? 0; i < end; i++)
    if (members.with.at(groups.places[i] ?? 0) >>> RANK_BITS === organization) return true;
  return false;
}

function checkMemberships(staged: Staged, members: Groups, found: Violations): void {
  const { memberships, teams, users, organizations } = staged;
  checkRepeatedPairs(found, memberships, memberships.grouped(users.length), OWNER_BIT, (user, team) => ({
    field: "teamMember.user",
    value: users.name(user),
    accepted: "each pair of team and user once in an import",
    whose: `in team ${teams.names.name(team)}`,
  }));
  for (let place = 0; place < memberships.lines.length; place++) {
    const [user, line] = [memberships.of.at(place), memberships.lines.at(place)];
    const team = memberships.with.at(place) >>> OWNER_BIT;
    const records = teams.all(team);
    if (records.length === 0) {
      const value = teams.names.name(team);
      found.add({ line, field: "teamMember.team", value, accepted: `a team ${IN_IMPORT}` });
      continue;
    }
    for (const { organization } of records) {
      if (isMember(staged, members, user, organization)) continue;
      const accepted = `a member of organization ${organizations.names.name(organization)}`;
      found.add({ line, field: "teamMember.user", value: users.name(user), accepted });
    }
  }
}

/** The part of a content's key before its id. */
function prefixOf(kind: ContentKind): number {
  return kind.length + 1;
}

function kindOfKey(key: string): ContentKind {
  return key.startsWith("space/") ? "space" : "collection";
}

function checkContents(staged: Staged, found: Violations): void {
  const { contents, organizations } = staged;
  checkRepeated(found, contents, ({ kind }) => ({
    field: `${kind}.id`,
    what: `${kind} id`,
    idFrom: prefixOf(kind),
  }));
  for (const [, { kind, organization, parent, line }] of contents) {
    checkOrganization(staged, found, `${kind}.organization`, organization, line);
    if (parent === undefined) continue;
    if (contents.all(parent).some((above) => above.organization === organization)) continue;
    found.add({
      line,
      field: `${kind}.parent`,
      value: contents.names.name(parent).slice(prefixOf("collection")),
      accepted: `the id of a collection of organization ${organizations.names.name(organization)}`,
    });
  }
}

function checkSites(staged: Staged, found: Violations): void {
  checkRepeated(found, staged.sites, () => ({ field: "site.id", what: "site id", idFrom: 0 }));
  for (const [, { organization, line }] of staged.sites)
    checkOrganization(staged, found, "site.organization", organization, line);
}

function checkSiteSpaces(staged: Staged, found: Violations): void {
  const { siteSpaces, sites, contents, organizations } = staged;
  const spaceId = (content: number) => contents.names.name(content).slice(prefixOf("space"));
  checkRepeatedPairs(found, siteSpaces, siteSpaces.grouped(sites.names.length), 0, (site, content) => ({
    field: "siteSpace.space",
    value: spaceId(content),
    accepted: "each pair of site and space once in an import",
    whose: `on site ${sites.names.name(site)}`,
  }));
  for (let place = 0; place < siteSpaces.lines.length; place++) {
    const [site, line] = [siteSpaces.of.at(place), siteSpaces.lines.at(place)];
    const content = siteSpaces.with.at(place);
    const records = sites.all(site);
    if (records.length === 0) {
      const value = sites.names.name(site);
      found.add({ line, field: "siteSpace.site", value, accepted: `a site ${IN_IMPORT}` });
    }
    for (const { organization } of records) {
      if (contents.all(content).some((space) => space.organization === organization)) continue;
      const accepted = `a space of organization ${organizations.names.name(organization)}`;
      found.add({ line, field: "siteSpace.space", value: spaceId(content), accepted });
    }
  }
}

/** What permissions are on: contents or sites. */
interface Places {
  readonly count: number;
  named(place: number): { readonly kind: ContentKind | "site"; readonly id: string };
  recordsOf(place: number): readonly { readonly organization: number }[];
}

function contentsOf({ contents }: Staged): Places {
  return {
    count: contents.names.length,
    named: (content) => {
      const key = contents.names.name(content);
      const kind = kindOfKey(key);
      return { kind, id: key.slice(prefixOf(kind)) };
    },
    recordsOf: (content) => contents.all(content),
  };
}

function sitesOf({ sites }: Staged): Places {
  return {
    count: sites.names.length,
    named: (site) => ({ kind: "site", id: sites.names.name(site) }),
    recordsOf: (site) => sites.all(site),
  };
}

/** The rule that what a permission is on has a record. Returns its records. */
function checkPlaceOf(places: Places, found: Violations, place: number, line: number) {
  const records = places.recordsOf(place);
  if (records.length > 0) return records;
  const { kind, id } = places.named(place);
  found.add({ line, field: `permission.${kind}`, value: id, accepted: `a ${kind} ${IN_IMPORT}` });
  return records;
}

function checkUserPermissions(
  staged: Staged,
  members: Groups,
  toUsers: Pairs,
  places: Places,
  found: Violations,
): void {
  const { users, organizations } = staged;
  checkRepeatedPairs(found, toUsers, toUsers.grouped(users.length), RANK_BITS, (user, place) => ({
    ...repeatedOn(places, place, "user"),
    value: users.name(user),
  }));
  for (let at = 0; at < toUsers.lines.length; at++) {
    const [user, place, line] = [toUsers.of.at(at), toUsers.with.at(at) >>> RANK_BITS, toUsers.lines.at(at)];
    for (const { organization } of checkPlaceOf(places, found, place, line)) {
      if (isMember(staged, members, user, organization)) continue;
      const accepted = `a member of organization ${organizations.names.name(organization)}`;
      found.add({ line, field: "permission.user", value: users.name(user), accepted });
    }
  }
}

function repeatedOn(places: Places, place: number, grantee: "user" | "team") {
  const { kind, id } = places.named(place);
  return {
    field: `permission.${grantee}`,
    accepted: `each pair of ${kind} and ${grantee} once in an import`,
    whose: `on ${kind} ${id}`,
  };
}

function checkTeamPermissions(staged: Staged, toTeams: Pairs, places: Places, found: Violations): void {
  const { teams, organizations } = staged;
  checkRepeatedPairs(found, toTeams, toTeams.grouped(places.count), RANK_BITS, (place, team) => ({
    ...repeatedOn(places, place, "team"),
    value: teams.names.name(team),
  }));
  for (let at = 0; at < toTeams.lines.length; at++) {
    const [place, team, line] = [toTeams.of.at(at), toTeams.with.at(at) >>> RANK_BITS, toTeams.lines.at(at)];
    for (const { organization } of checkPlaceOf(places, found, place, line)) {
      if (teams.all(team).some((record) => record.organization === organization)) continue;
      const accepted = `a team of organization ${organizations.names.name(organization)}`;
      found.add({ line, field: "permission.team", value: teams.names.name(team), accepted });
    }
  }
}

/**
 * Follows collections upwards. If some are nested too deep, only those one level deeper than allowed are named; else
 * those in a cycle or below one.
 */
function checkNesting({ contents }: Staged, found: Violations): void {
  const depths = new Map<number, number>();
  const depthOf = (content: number): number => {
    const above: number[] = [];
    let depth = 0;
    for (let at: number | undefined = content; at !== undefined; at = contents.get(at)?.parent) {
      const known = depths.get(at);
      if (known !== undefined) {
        depth = known;
        break;
      }
      // Until its depth is known, what is met again is in a cycle.
      depths.set(at, Infinity);
      above.push(at);
    }
    for (const at of above.toReversed()) depths.set(at, ++depth);
    return depths.get(content) ?? depth;
  };
  const nested: (readonly [depth: number, parent: number, line: number])[] = [];
  for (const [content, { kind, parent, line }] of contents) {
    if (kind === "collection" && parent !== undefined) nested.push([depthOf(content), parent, line]);
  }
  const isTooDeep = nested.some(([depth]) => depth > DEEPEST && depth < Infinity);
  for (const [depth, parent, line] of nested) {
    if (depth !== (isTooDeep ? DEEPEST + 1 : Infinity)) continue;
    found.add({
      line,
      field: "collection.parent",
      value: contents.names.name(parent).slice(prefixOf("collection")),
      accepted: isTooDeep ? `collections nested at most ${DEEPEST} deep` : "collections without a cycle",
    });
  }
}
