/** The rows that the records of whole files make, in the order of their keys. */
import type { ContentKey } from "../../../domain/content.ts";
import { contentKey, kindOf } from "../../../domain/content.ts";
import { type Role, ROLES } from "../../../domain/role.ts";
import { codeOf, type Hash, hashOf, NONE, OF_TEAM } from "../../../model/checksum.ts";
import type { Counts } from "../../reading.ts";
import { OWNER, ranked } from "../lists.ts";
import { type Sizes, Totals } from "../revision-row.ts";
import type { ContentValues, MemberValues, SiteValues, TeamValues } from "../tables.ts";
import { groupOf, type Groups } from "./columns.ts";
import { OWNER_BIT, RANK_BITS, type Staged, type StagedRecords } from "./staged.ts";

/** What an id has, with whole lists: not in parts. */
export type Whole<Values> = readonly [id: string, values: Values];

/** Valid staged records by organization and in order. */
export class Ordered {
  readonly staged: Staged;
  /** By the number of an organization: teams, contents and sites by id. */
  readonly teams: readonly (readonly number[])[];
  readonly contents: readonly (readonly number[])[];
  readonly sites: readonly (readonly number[])[];
  /** By the number of an organization: the places of its members among all, by user id. */
  readonly members: readonly (readonly number[])[];
  readonly memberships: Groups;
  readonly toUsers: Groups;
  readonly toTeams: Groups;
  readonly siteSpaces: Groups;

  constructor(staged: Staged) {
    this.staged = staged;
    const organizations = staged.organizations.names.length;
    const empty = () => Array.from({ length: organizations }, (): number[] => []);
    const inOrder = <Item extends { readonly organization: number }>(records: StagedRecords<Item>) => {
      const lists = empty();
      for (const number of records.names.order()) {
        const item = records.get(number);
        if (item !== undefined) lists[item.organization]?.push(number);
      }
      return lists;
    };
    this.teams = inOrder(staged.teams);
    this.contents = inOrder(staged.contents);
    this.sites = inOrder(staged.sites);
    const members = empty();
    const byUser = staged.members.grouped(staged.users.length);
    for (const user of staged.users.order())
      for (const place of groupOf(byUser, user))
        members[staged.members.with.at(place) >>> RANK_BITS]?.push(place);
    this.members = members;
    this.memberships = staged.memberships.grouped(staged.users.length);
    this.toUsers = staged.toUsers.grouped(staged.users.length);
    this.toTeams = staged.toTeams.grouped(staged.contents.names.length);
    this.siteSpaces = staged.siteSpaces.grouped(staged.sites.names.length);
  }
}

/** The stored numbers of teams and contents of an organization, by id and by key. */
export interface StoredNumbers {
  readonly teams: ReadonlyMap<string, number>;
  readonly contents: ReadonlyMap<string, number>;
  readonly next: Pick<Sizes, "nextTeam" | "nextContent">;
}

export const NO_NUMBERS: StoredNumbers = {
  teams: new Map(),
  contents: new Map(),
  next: { nextTeam: 1, nextContent: 1 },
};

/** The rows of one organization of the files. What is stored keeps its number, what is new gets the next one. */
export class FileRows {
  readonly #ordered: Ordered;
  readonly #organization: number;
  readonly #teamNumbers = new Map<number, number>();
  readonly #contentNumbers = new Map<number, number>();
  /** The numbers that come next after these rows. */
  readonly next: Pick<Sizes, "nextTeam" | "nextContent">;

  constructor(ordered: Ordered, organization: number, { teams, contents, next }: StoredNumbers) {
    this.#ordered = ordered;
    this.#organization = organization;
    this.next = { ...next };
    const { staged } = ordered;
    for (const team of this.#teams)
      this.#teamNumbers.set(team, teams.get(staged.teams.names.name(team)) ?? this.next.nextTeam++);
    for (const content of this.#contents) {
      const stored = contents.get(staged.contents.names.name(content));
      this.#contentNumbers.set(content, stored ?? this.next.nextContent++);
    }
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

  get #members(): readonly number[] {
    return this.#ordered.members[this.#organization] ?? [];
  }

  get title(): string {
    return this.#ordered.staged.organizations.get(this.#organization)?.title ?? "";
  }

  /** Ids by stored numbers. */
  teamIds(): Map<number, string> {
    const { names } = this.#ordered.staged.teams;
    return new Map(Array.from(this.#teamNumbers, ([team, number]) => [number, names.name(team)]));
  }

  /** As {@link teamIds}. */
  contentKeys(): Map<number, ContentKey> {
    return new Map(Array.from(this.#contentNumbers, ([content, number]) => [number, this.#key(content)]));
  }

  #key(content: number): ContentKey {
    const name = this.#ordered.staged.contents.names.name(content);
    const kind = name.startsWith("space/") ? "space" : "collection";
    return contentKey(kind, name.slice(kind.length + 1));
  }

  *teams(): Generator<Whole<TeamValues>> {
    const { teams } = this.#ordered.staged;
    for (const team of this.#teams)
      yield [teams.names.name(team), [this.#teamNumbers.get(team) ?? 0, teams.get(team)?.document ?? ""]];
  }

  *contents(): Generator<Whole<ContentValues>> {
    const { staged, toTeams } = this.#ordered;
    const list = new ListText();
    for (const content of this.#contents) {
      const record = staged.contents.get(content);
      if (record === undefined) continue;
      const { parent, level, created, document } = record;
      for (const place of groupOf(toTeams, content)) {
        const packed = staged.toTeams.with.at(place);
        list.add(this.#teamNumbers.get(packed >>> RANK_BITS), packed & RANK_MASK);
      }
      const above = parent === undefined ? undefined : this.#contentNumbers.get(parent);
      const number = this.#contentNumbers.get(content) ?? 0;
      yield [
        staged.contents.names.name(content),
        [number, above ?? null, level, created, document.omitted, list.take(ranked), document.text],
      ];
    }
  }

  *sites(): Generator<Whole<SiteValues>> {
    const { staged, siteSpaces } = this.#ordered;
    const list = new ListText();
    for (const site of this.#sites) {
      for (const place of groupOf(siteSpaces, site))
        list.add(this.#contentNumbers.get(staged.siteSpaces.with.at(place)), 0);
      yield [staged.sites.names.name(site), [staged.sites.get(site)?.title ?? "", list.take(() => "")]];
    }
  }

  *members(): Generator<Whole<MemberValues>> {
    const { staged, memberships, toUsers } = this.#ordered;
    const list = new ListText();
    const membership = (says: number) => (says === 1 ? OWNER : "");
    for (const place of this.#members) {
      const user = staged.members.of.at(place);
      for (const at of groupOf(memberships, user)) {
        const packed = staged.memberships.with.at(at);
        list.add(this.#teamNumbers.get(packed >>> OWNER_BIT), packed & 1);
      }
      const teams = list.take(membership);
      for (const at of groupOf(toUsers, user)) {
        const packed = staged.toUsers.with.at(at);
        list.add(this.#contentNumbers.get(packed >>> RANK_BITS), packed & RANK_MASK);
      }
      const permissions = list.take(ranked);
      const role = staged.members.with.at(place) & RANK_MASK;
      const profile = staged.profile(user);
      yield [staged.users.name(user), [role, staged.omittedOf(user), teams, permissions, profile]];
    }
  }

  /** The sizes and the checksum of all these records, and how many there are of each kind. */
  summary(): { readonly totals: Totals; readonly counts: Counts } {
    const { staged, memberships, toUsers, toTeams, siteSpaces } = this.#ordered;
    const totals = new Totals({ ...new Totals().sizes, ...this.next });
    const { sizes, checksum } = totals;
    const add = (code: number, about: Hash, beside: Hash, value: number) =>
      checksum.add(code, about.a, about.b, beside.a, beside.b, value);
    add(codeOf("organization"), hashOf(this.title), NONE, 0);
    const teams = new Map<number, Hash>();
    for (const team of this.#teams) {
      const hash = hashOf(staged.teams.names.name(team));
      teams.set(team, hash);
      add(codeOf("team"), hash, hashOf(staged.teams.get(team)?.document ?? ""), 0);
    }
    const contents = new Map<number, Hash>();
    let spaces = 0;
    for (const content of this.#contents) {
      const key = this.#key(content);
      const kind = kindOf(key);
      const hash = hashOf(key);
      const text = staged.contents.get(content)?.document.text ?? "";
      contents.set(content, hash);
      add(codeOf(kind), hash, hashOf(text), 0);
      if (kind === "space") spaces++;
      sizes.contentBytes += Buffer.byteLength(key);
      sizes.documentBytes += Buffer.byteLength(text);
      for (const place of groupOf(toTeams, content)) {
        const packed = staged.toTeams.with.at(place);
        add(OF_TEAM, teams.get(packed >>> RANK_BITS) ?? NONE, hash, packed & RANK_MASK);
        sizes.teamPermissions++;
      }
    }
    sizes.contents = this.#contents.length;
    let onSites = 0;
    for (const site of this.#sites) {
      const hash = hashOf(staged.sites.names.name(site));
      add(codeOf("site"), hash, hashOf(staged.sites.get(site)?.title ?? ""), 0);
      for (const place of groupOf(siteSpaces, site)) {
        add(codeOf("siteSpace"), hash, contents.get(staged.siteSpaces.with.at(place)) ?? NONE, 0);
        onSites++;
      }
    }
    const roles = { guest: 0, read: 0, comment: 0, edit: 0, review: 0, create: 0, admin: 0 };
    for (const place of this.#members) {
      const user = staged.members.of.at(place);
      const rank = staged.members.with.at(place) & RANK_MASK;
      const [id, profile] = [staged.users.name(user), staged.profile(user)];
      const hash = hashOf(id);
      sizes.memberBytes += Buffer.byteLength(id);
      sizes.profileBytes += Buffer.byteLength(profile);
      roles[roleNamed(rank)]++;
      add(codeOf("user"), hash, hashOf(profile), 0);
      add(codeOf("member"), hash, NONE, rank);
      for (const at of groupOf(memberships, user)) {
        const packed = staged.memberships.with.at(at);
        const team = teams.get(packed >>> OWNER_BIT);
        if (team === undefined) continue;
        add(codeOf("teamMember"), hash, team, packed & 1);
        sizes.memberships++;
      }
      for (const at of groupOf(toUsers, user)) {
        const packed = staged.toUsers.with.at(at);
        const content = contents.get(packed >>> RANK_BITS);
        if (content === undefined) continue;
        add(codeOf("permission"), hash, content, packed & RANK_MASK);
        sizes.permissions++;
      }
    }
    sizes.members = this.#members.length;
    const counts = {
      members: sizes.members,
      roles,
      teams: teams.size,
      teamMembers: sizes.memberships,
      collections: sizes.contents - spaces,
      spaces,
      sites: this.#sites.length,
      siteSpaces: onSites,
      permissions: sizes.permissions + sizes.teamPermissions,
    };
    return { totals, counts };
  }
}

const RANK_MASK = (1 << RANK_BITS) - 1;

function roleNamed(rank: number): Role | "guest" {
  return ROLES[rank - 1] ?? "guest";
}

/** Makes the text of a list. Entries without a number are of another organization. */
class ListText {
  readonly #entries: number[] = [];

  add(number: number | undefined, says: number): void {
    if (number !== undefined) this.#entries.push(number * ROOM + says);
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
}

/** Greater than what a list says of a number. */
const ROOM = 8;
