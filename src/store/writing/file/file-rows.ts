/** The rows that the records of whole files make, in the order of their keys. */
import type { ContentKey } from "../../../domain/content.ts";
import { contentKey } from "../../../domain/content.ts";
import type { RecordNames } from "../../../domain/record-change.ts";
import { type Role, ROLES } from "../../../domain/role.ts";
import {
  codeOf,
  type Hash,
  hashBytes,
  type Hashes,
  hashOf,
  noHashes,
  NONE,
  OF_TEAM,
  OF_TEAM_ON_SITE,
  ON_SITE,
} from "../../../model/checksum.ts";
import type { Counts } from "../../reading.ts";
import { OWNER, ranked } from "../../rows/lists.ts";
import { type Sizes, Totals } from "../../rows/revision-row.ts";
import type { ContentValues, MemberValues, SiteValues, TeamValues } from "../../rows/tables.ts";
import { type FileLists, listOf } from "./columns.ts";
import type { BytesOfText } from "./names.ts";
import { OWNER_BIT, RANK_BITS, type Staged, type StagedRecords } from "./staged.ts";

/** What an id has, with whole lists: not in parts. */
export type Whole<Values> = readonly [id: string, values: Values];

/** Valid staged records by organization and in order. What was staged as pairs is only here from then on. */
export class Ordered {
  readonly staged: Staged;
  /** By the number of an organization: teams, contents and sites by id. */
  readonly teams: readonly (readonly number[])[];
  readonly contents: readonly (readonly number[])[];
  readonly sites: readonly (readonly number[])[];
  /** By the number of an organization: its members by user id, packed with the rank of the organization role. */
  readonly members: readonly Uint32Array[];
  /** The organizations of each user, packed with a rank; and so on, as the pairs have them. */
  readonly organizations: FileLists;
  readonly memberships: FileLists;
  readonly toUsers: FileLists;
  readonly toTeams: FileLists;
  readonly toUsersOnSites: FileLists;
  readonly toTeamsOnSites: FileLists;
  readonly siteSpaces: FileLists;
  /** How many users are described, and members of no organization. */
  readonly ignoredUsers: number;

  constructor(staged: Staged) {
    this.staged = staged;
    const { length: users } = staged.users;
    const organizations = staged.organizations.names.length;
    const inOrder = <Item extends { readonly organization: number }>(records: StagedRecords<Item>) => {
      const lists = Array.from({ length: organizations }, (): number[] => []);
      for (const number of records.names.order()) {
        const item = records.get(number);
        if (item !== undefined) lists[item.organization]?.push(number);
      }
      return lists;
    };
    this.teams = inOrder(staged.teams);
    this.contents = inOrder(staged.contents);
    this.sites = inOrder(staged.sites);
    this.organizations = staged.members.takeLists(users);
    this.memberships = staged.memberships.takeLists(users);
    this.toUsers = staged.toUsers.takeLists(users);
    this.toTeams = staged.toTeams.takeLists(staged.contents.names.length);
    this.toUsersOnSites = staged.toUsersOnSites.takeLists(users);
    this.toTeamsOnSites = staged.toTeamsOnSites.takeLists(staged.sites.names.length);
    this.siteSpaces = staged.siteSpaces.takeLists(staged.sites.names.length);
    const { at, entries } = this.organizations;
    const count = new Uint32Array(organizations);
    for (const entry of entries) count[entry >>> RANK_BITS] = (count[entry >>> RANK_BITS] ?? 0) + 1;
    this.members = Array.from(count, (members) => new Uint32Array(members));
    count.fill(0);
    let ignoredUsers = 0;
    for (const user of staged.users.order()) {
      const [begin = 0, end = 0] = [at[user], at[user + 1]];
      if (begin === end && staged.hasUser(user)) ignoredUsers++;
      for (let i = begin; i < end; i++) {
        const entry = entries[i] ?? 0;
        const organization = entry >>> RANK_BITS;
        const next = count[organization] ?? 0;
        const members = this.members[organization];
        if (members !== undefined) members[next] = (user << RANK_BITS) | (entry & RANK_MASK);
        count[organization] = next + 1;
      }
    }
    this.ignoredUsers = ignoredUsers;
  }
}

/** The stored numbers of teams, contents and sites of an organization, by id and by key. */
export interface StoredNumbers {
  readonly teams: ReadonlyMap<string, number>;
  readonly contents: ReadonlyMap<string, number>;
  readonly sites: ReadonlyMap<string, number>;
  readonly next: Pick<Sizes, "nextTeam" | "nextContent">;
}

export const NO_NUMBERS: StoredNumbers = {
  teams: new Map(),
  contents: new Map(),
  sites: new Map(),
  next: { nextTeam: 1, nextContent: 1 },
};

/** The rows of one organization of the files. What is stored keeps its number, what is new gets the next one. */
export class FileRows {
  readonly #ordered: Ordered;
  readonly #organization: number;
  /** By the number of a team, a content or a site in the files; 0 for those of other organizations. */
  readonly #teamNumbers: Uint32Array;
  readonly #contentNumbers: Uint32Array;
  readonly #siteNumbers: Uint32Array;
  readonly #list = new ListText();
  /** The numbers that come next after these rows. */
  readonly next: Pick<Sizes, "nextTeam" | "nextContent">;

  constructor(ordered: Ordered, organization: number, { teams, contents, sites, next }: StoredNumbers) {
    this.#ordered = ordered;
    this.#organization = organization;
    this.next = { ...next };
    const { staged } = ordered;
    this.#teamNumbers = new Uint32Array(staged.teams.names.length);
    this.#contentNumbers = new Uint32Array(staged.contents.names.length);
    for (const team of this.#teams)
      this.#teamNumbers[team] = teams.get(staged.teams.names.name(team)) ?? this.next.nextTeam++;
    for (const content of this.#contents) {
      const stored = contents.get(staged.contents.names.name(content));
      this.#contentNumbers[content] = stored ?? this.next.nextContent++;
    }
    this.#siteNumbers = new Uint32Array(staged.sites.names.length);
    for (const site of this.#sites)
      this.#siteNumbers[site] = sites.get(staged.sites.names.name(site)) ?? this.next.nextContent++;
  }

  get #teams(): readonly number[] {
    return this.#ordered.teams[this.#organization] ?? [];
  }

  get #contents(): readonly number[] {
    return this.#ordered.contents[this.#organization] ?? [];
  }

  get #sites(): readonly number[] {
    return this.#ordered.sites[this.#organization] ?? [];
  }

  /** Users by id, packed with the ranks of their organization roles. */
  get members(): Uint32Array {
    return this.#ordered.members[this.#organization] ?? new Uint32Array(0);
  }

  get title(): string {
    return this.#ordered.staged.organizations.get(this.#organization)?.title ?? "";
  }

  /** Ids by stored numbers. */
  teamIds(): Map<number, string> {
    const { names } = this.#ordered.staged.teams;
    return new Map(this.#teams.map((team) => [this.#teamNumbers[team] ?? 0, names.name(team)]));
  }

  /** As {@link teamIds}. */
  contentKeys(): Map<number, ContentKey> {
    return new Map(this.#contents.map((content) => [this.#contentNumbers[content] ?? 0, this.#key(content)]));
  }

  /** As {@link teamIds}. */
  siteIds(): Map<number, string> {
    const { names } = this.#ordered.staged.sites;
    return new Map(this.#sites.map((site) => [this.#siteNumbers[site] ?? 0, names.name(site)]));
  }

  #key(content: number): ContentKey {
    const name = this.#ordered.staged.contents.names.name(content);
    const kind = name.startsWith("space/") ? "space" : "collection";
    return contentKey(kind, name.slice(kind.length + 1));
  }

  /** Whether the files make a user a member. */
  hasMember(id: string): boolean {
    const { staged, organizations } = this.#ordered;
    const user = staged.users.find(id);
    if (user === undefined) return false;
    return listOf(organizations, user).some((entry) => entry >>> RANK_BITS === this.#organization);
  }

  /** What the files say of a user, a team, a content or a site; `undefined` if they have no such record. */
  textOf({ kind, member = "", team = "", content, site = "" }: RecordNames): string | undefined {
    const { staged } = this.#ordered;
    switch (kind) {
      case "user": {
        const user = staged.users.find(member);
        return user === undefined || !staged.hasUser(user) ? undefined : staged.profile(user);
      }
      case "team":
        return recordOf(staged.teams, team)?.document;
      case "collection":
      case "space":
        return recordOf(staged.contents, content ?? "")?.document.text;
      case "site":
        return recordOf(staged.sites, site)?.document;
      default:
        return undefined;
    }
  }

  *teams(): Generator<Whole<TeamValues>> {
    const { teams } = this.#ordered.staged;
    for (const team of this.#teams)
      yield [teams.names.name(team), [this.#teamNumbers[team] ?? 0, teams.get(team)?.document ?? ""]];
  }

  *contents(): Generator<Whole<ContentValues>> {
    const { staged, toTeams } = this.#ordered;
    const list = new ListText();
    for (const content of this.#contents) {
      const record = staged.contents.get(content);
      if (record === undefined) continue;
      const { parent, level, created, document } = record;
      for (const packed of listOf(toTeams, content))
        list.add(this.#teamNumbers[packed >>> RANK_BITS], packed & RANK_MASK);
      const above = parent === undefined ? undefined : this.#contentNumbers[parent];
      const number = this.#contentNumbers[content] ?? 0;
      yield [
        staged.contents.names.name(content),
        [number, above ?? null, level, created, document.omitted, list.take(ranked), document.text],
      ];
    }
  }

  *sites(): Generator<Whole<SiteValues>> {
    const { staged, siteSpaces, toTeamsOnSites } = this.#ordered;
    const list = new ListText();
    for (const site of this.#sites) {
      const record = staged.sites.get(site);
      if (record === undefined) continue;
      for (const packed of listOf(toTeamsOnSites, site))
        list.add(this.#teamNumbers[packed >>> RANK_BITS], packed & RANK_MASK);
      const teams = list.take(ranked);
      for (const content of listOf(siteSpaces, site)) list.add(this.#contentNumbers[content], 0);
      const number = this.#siteNumbers[site] ?? 0;
      yield [
        staged.sites.names.name(site),
        [number, record.level, teams, list.take(() => ""), record.document],
      ];
    }
  }

  *memberRows(): Generator<Whole<MemberValues>> {
    for (let member = 0; member < this.members.length; member++) yield this.member(member);
  }

  /** The row of a member, by its place in the order of ids. */
  member(at: number): Whole<MemberValues> {
    const { staged, memberships } = this.#ordered;
    const packedUser = this.members[at] ?? 0;
    const user = packedUser >>> RANK_BITS;
    this.#listTeams(memberships, user);
    const teams = this.#list.take(ownership);
    this.#listPermissions(user);
    const permissions = this.#list.take(ranked);
    const role = packedUser & RANK_MASK;
    return [
      staged.users.name(user),
      [role, staged.omittedOf(user), teams, permissions, staged.profile(user)],
    ];
  }

  /** How many bytes the row of a member takes at most, as {@link writeMember} writes it. */
  mostBytes(at: number): number {
    const { staged, memberships, toUsers, toUsersOnSites } = this.#ordered;
    const user = (this.members[at] ?? 0) >>> RANK_BITS;
    const entries = lengthOf(memberships, user) + lengthOf(toUsers, user) + lengthOf(toUsersOnSites, user);
    return staged.users.lengthOf(user) + staged.profileLength(user) + MOST_DIGITS * (entries + 4);
  }

  /** Writes the row of a member as `joinedRows` reads it, without parts of lists. Returns where it ends. */
  writeMember(at: number, bytes: Buffer, begin: number): number {
    const { staged, memberships } = this.#ordered;
    const packedUser = this.members[at] ?? 0;
    const user = packedUser >>> RANK_BITS;
    let end = begin;
    bytes[end++] = ZERO;
    bytes[end++] = TAB;
    end = staged.users.copy(user, bytes, end);
    bytes[end++] = TAB;
    bytes[end++] = ZERO + (packedUser & RANK_MASK);
    bytes[end++] = TAB;
    end = writeNumber(staged.omittedOf(user), bytes, end);
    bytes[end++] = TAB;
    this.#listTeams(memberships, user);
    end = this.#list.write(OWNER_MARK, bytes, end);
    bytes[end++] = TAB;
    this.#listPermissions(user);
    end = this.#list.write(RANK_MARK, bytes, end);
    bytes[end++] = TAB;
    return staged.copyProfile(user, bytes, end);
  }

  #listTeams({ at, entries }: FileLists, user: number): void {
    const end = at[user + 1] ?? 0;
    for (let i = at[user] ?? 0; i < end; i++) {
      const packed = entries[i] ?? 0;
      this.#list.add(this.#teamNumbers[packed >>> OWNER_BIT], packed & 1);
    }
  }

  #listPermissions(user: number): void {
    const { toUsers, toUsersOnSites } = this.#ordered;
    this.#listRanks(toUsers, user, this.#contentNumbers);
    this.#listRanks(toUsersOnSites, user, this.#siteNumbers);
  }

  #listRanks({ at, entries }: FileLists, user: number, numbers: Uint32Array): void {
    const end = at[user + 1] ?? 0;
    for (let i = at[user] ?? 0; i < end; i++) {
      const packed = entries[i] ?? 0;
      this.#list.add(numbers[packed >>> RANK_BITS], packed & RANK_MASK);
    }
  }

  /** The sizes and the checksum of all these records, and how many there are of each kind. */
  summary(): { readonly totals: Totals; readonly counts: Counts } {
    const { staged, memberships, toUsers, toTeams, siteSpaces, toUsersOnSites, toTeamsOnSites } =
      this.#ordered;
    const totals = new Totals({ ...new Totals().sizes, ...this.next });
    const { sizes, checksum } = totals;
    const add = (code: number, about: Hash, beside: Hash, value: number) =>
      checksum.add(code, about.a, about.b, beside.a, beside.b, value);
    add(codeOf("organization"), hashOf(this.title), NONE, 0);
    const teams = noHashes(staged.teams.names.length);
    for (const team of this.#teams) {
      hashInto(teams, team, staged.teams.names.nameIn(team));
      add(codeOf("team"), hashAt(teams, team), hashOf(staged.teams.get(team)?.document ?? ""), 0);
    }
    const contents = noHashes(staged.contents.names.length);
    let spaces = 0;
    for (const content of this.#contents) {
      const name = staged.contents.names.nameIn(content);
      const kind = staged.contents.get(content)?.kind ?? "space";
      const text = staged.contents.get(content)?.document.text ?? "";
      hashInto(contents, content, name);
      add(codeOf(kind), hashAt(contents, content), hashOf(text), 0);
      if (kind === "space") spaces++;
      sizes.contentBytes += name.end - name.begin;
      sizes.documentBytes += Buffer.byteLength(text);
      for (const packed of listOf(toTeams, content)) {
        add(OF_TEAM, hashAt(teams, packed >>> RANK_BITS), hashAt(contents, content), packed & RANK_MASK);
        sizes.teamPermissions++;
      }
    }
    sizes.contents = this.#contents.length;
    const sites = noHashes(staged.sites.names.length);
    let [linked, toTeamsOfSites] = [0, 0];
    for (const site of this.#sites) {
      hashInto(sites, site, staged.sites.names.nameIn(site));
      const hash = hashAt(sites, site);
      add(codeOf("site"), hash, hashOf(staged.sites.get(site)?.document ?? ""), 0);
      for (const packed of listOf(toTeamsOnSites, site)) {
        add(OF_TEAM_ON_SITE, hash, hashAt(teams, packed >>> RANK_BITS), packed & RANK_MASK);
        toTeamsOfSites++;
      }
      for (const content of listOf(siteSpaces, site)) {
        add(codeOf("siteSpace"), hash, hashAt(contents, content), 0);
        linked++;
      }
    }
    const roles = { guest: 0, read: 0, comment: 0, edit: 0, review: 0, create: 0, admin: 0 };
    const person = noHashes(2);
    const [description, member] = [codeOf("user"), codeOf("member")];
    const [membership, permission] = [codeOf("teamMember"), codeOf("permission")];
    for (const packedUser of this.members) {
      const [user, rank] = [packedUser >>> RANK_BITS, packedUser & RANK_MASK];
      const [name, profile] = [staged.users.nameIn(user), staged.profileIn(user)];
      hashInto(person, 0, name);
      hashInto(person, 1, profile);
      const [a = 0, says = 0] = person.a;
      const [b = 0, saysToo = 0] = person.b;
      sizes.memberBytes += name.end - name.begin;
      sizes.profileBytes += profile.end - profile.begin;
      roles[roleNamed(rank)]++;
      checksum.add(description, a, b, says, saysToo, 0);
      checksum.add(member, a, b, 0, 0, rank);
      for (let i = memberships.at[user] ?? 0; i < (memberships.at[user + 1] ?? 0); i++) {
        const packed = memberships.entries[i] ?? 0;
        const team = packed >>> OWNER_BIT;
        if (this.#teamNumbers[team] === 0) continue;
        checksum.add(membership, a, b, teams.a[team] ?? 0, teams.b[team] ?? 0, packed & 1);
        sizes.memberships++;
      }
      for (let i = toUsers.at[user] ?? 0; i < (toUsers.at[user + 1] ?? 0); i++) {
        const packed = toUsers.entries[i] ?? 0;
        const content = packed >>> RANK_BITS;
        if (this.#contentNumbers[content] === 0) continue;
        const given = packed & RANK_MASK;
        checksum.add(permission, a, b, contents.a[content] ?? 0, contents.b[content] ?? 0, given);
        sizes.permissions++;
      }
      for (const packed of listOf(toUsersOnSites, user)) {
        const site = packed >>> RANK_BITS;
        if (this.#siteNumbers[site] === 0) continue;
        checksum.add(ON_SITE, sites.a[site] ?? 0, sites.b[site] ?? 0, a, b, packed & RANK_MASK);
        sizes.permissions++;
      }
    }
    sizes.members = this.members.length;
    const counts = {
      members: sizes.members,
      roles,
      teams: this.#teams.length,
      teamMembers: sizes.memberships,
      collections: sizes.contents - spaces,
      spaces,
      sites: this.#sites.length,
      siteSpaces: linked,
      permissions: sizes.permissions + sizes.teamPermissions + toTeamsOfSites,
    };
    return { totals, counts };
  }
}

const TAB = 9;
const ZERO = 0x30;
/** What is between a number and what a list says of it: an owner has no more than the mark. */
const OWNER_MARK = OWNER.charCodeAt(0);
const RANK_MARK = ranked("").charCodeAt(0);
const SEMICOLON = 0x3b;
/** More than a number in a row takes, with what is beside it. */
const MOST_DIGITS = 20;

/** Writes a whole number in digits. Returns where it ends. */
function writeNumber(number: number, bytes: Buffer, begin: number): number {
  let power = 1;
  while (10 * power <= number) power *= 10;
  let end = begin;
  for (let left = number; power >= 1; power /= 10) {
    const digit = Math.floor(left / power);
    bytes[end++] = ZERO + digit;
    left -= digit * power;
  }
  return end;
}

function lengthOf({ at }: FileLists, x: number): number {
  return (at[x + 1] ?? 0) - (at[x] ?? 0);
}

/** What the list of a member says of a team. */
function ownership(says: number): string {
  return says === 1 ? OWNER : "";
}

function hashInto(hashes: Hashes, i: number, { bytes, begin, end }: BytesOfText): void {
  hashBytes(hashes, i, bytes, begin, end);
}

function hashAt({ a, b }: Hashes, i: number): Hash {
  return { a: a[i] ?? 0, b: b[i] ?? 0 };
}

function recordOf<Item>(records: StagedRecords<Item>, name: string): Item | undefined {
  const number = records.names.find(name);
  return number === undefined ? undefined : records.get(number);
}

const RANK_MASK = (1 << RANK_BITS) - 1;

function roleNamed(rank: number): Role | "guest" {
  return ROLES[rank - 1] ?? "guest";
}

/** Makes the text of a list. Entries without a number are of another organization. */
class ListText {
  readonly #entries: number[] = [];

  add(number: number | undefined, says: number): void {
    if (number !== undefined && number > 0) this.#entries.push(number * ROOM + says);
  }

  /** The text of the entries by number; the next list begins. */
  take(said: (says: number) => string): string {
    const entries = this.#entries;
    if (entries.length > 1) entries.sort((a, b) => a - b);
    let text = "";
    for (const entry of entries) text += `${Math.floor(entry / ROOM)}${said(entry % ROOM)};`;
    entries.length = 0;
    return text;
  }

  /** As {@link take}, into bytes. Returns where the list ends. */
  write(mark: number, bytes: Buffer, begin: number): number {
    const entries = this.#entries;
    if (entries.length > 1) entries.sort((a, b) => a - b);
    let end = begin;
    for (const entry of entries) {
      const says = entry % ROOM;
      end = writeNumber(Math.floor(entry / ROOM), bytes, end);
      if (mark === RANK_MARK) {
        bytes[end++] = mark;
        bytes[end++] = ZERO + says;
      } else if (says === 1) bytes[end++] = mark;
      bytes[end++] = SEMICOLON;
    }
    entries.length = 0;
    return end;
  }
}

/** Greater than what a list says of a number. */
const ROOM = 8;
