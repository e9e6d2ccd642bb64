/**
 * The records of whole files, in arrays. What is named gets a number when it is first named, whether it has a record or
 * not; memberships and permissions are pairs of numbers. So a million members take some hundreds of megabytes.
 */
import { type ContentKey, contentKey, type ContentKind, type DefaultLevel } from "../../../domain/content.ts";
import type { Document } from "../../../domain/document.ts";
import { rankOfLevel } from "../../../model/model.ts";
import { Column, type FileLists, grouped, type Groups, Texts } from "./columns.ts";
import { type BytesOfText, bytesOf, Names } from "./names.ts";

export interface StagedOrganization {
  readonly title: string;
  readonly line: number;
}

export interface StagedTeam {
  /** The number of the organization. */
  readonly organization: number;
  readonly document: string;
  readonly line: number;
}

export interface StagedContent {
  readonly organization: number;
  readonly kind: ContentKind;
  /** The number of the collection around it. */
  readonly parent: number | undefined;
  /** The rank of the default level, as a model has it. */
  readonly level: number;
  readonly created: number;
  readonly document: Document;
  readonly line: number;
}

export interface StagedSite {
  readonly organization: number;
  /** As that of a content. */
  readonly level: number;
  readonly document: string;
  readonly line: number;
}

/** The records of one kind, by the numbers of what they are about. */
export class StagedRecords<Item> {
  readonly names = new Names();
  readonly #first: (Item | undefined)[] = [];
  readonly #others = new Map<number, Item[]>();

  add(number: number, item: Item): void {
    if (this.#first[number] === undefined) this.#first[number] = item;
    else if (this.#others.has(number)) this.#others.get(number)?.push(item);
    else this.#others.set(number, [item]);
  }

  /** The first record about a number. */
  get(number: number): Item | undefined {
    return this.#first[number];
  }

  /** All records about a number: more than one only in files that are refused. */
  all(number: number): readonly Item[] {
    const first = this.#first[number];
    return first === undefined ? [] : [first, ...(this.#others.get(number) ?? [])];
  }

  /** The records after the first one about the same. */
  *repeated(): Generator<readonly [number: number, item: Item]> {
    for (const [number, items] of this.#others) for (const item of items) yield [number, item];
  }

  *[Symbol.iterator](): Generator<readonly [number: number, item: Item]> {
    for (const [number, item] of this.#first.entries()) if (item !== undefined) yield [number, item];
    yield* this.repeated();
  }
}

/** Pairs of what is packed in two columns, with their lines. */
export class Pairs {
  readonly of = new Column();
  readonly with = new Column();
  readonly lines = new Column();
  #groups: Groups | undefined;

  add(of: number, other: number, line: number): void {
    this.of.push(of);
    this.with.push(other);
    this.lines.push(line);
  }

  /** Groups all pairs by the first number, which is below `count`. Call it when all are there. */
  grouped(count: number): Groups {
    return (this.#groups ??= grouped(this.of, count));
  }

  /** What each of `count` things is paired with. The pairs, with their lines, are gone afterwards. */
  takeLists(count: number): FileLists {
    const { at, places } = this.grouped(count);
    for (const [i, place] of places.entries()) places[i] = this.with.at(place);
    for (const column of [this.of, this.with, this.lines]) column.clear();
    this.#groups = undefined;
    return { at, entries: places };
  }
}

/** Of the second number of a pair, the lowest bits are what the record says. */
export const OWNER_BIT = 1;
export const RANK_BITS = 3;

export class Staged {
  readonly organizations = new StagedRecords<StagedOrganization>();
  readonly users = new Names();
  readonly teams = new StagedRecords<StagedTeam>();
  readonly contents = new StagedRecords<StagedContent>();
  readonly sites = new StagedRecords<StagedSite>();
  /** Users with organizations, packed with the rank of the organization role. */
  readonly members = new Pairs();
  /** Users with teams, packed with 1 for an owner. */
  readonly memberships = new Pairs();
  /** Users with contents, packed with the rank of the permission. */
  readonly toUsers = new Pairs();
  /** Contents with teams, packed with the rank of the permission. */
  readonly toTeams = new Pairs();
  /** Users with sites, and sites with teams, packed with the rank of the permission, 0 for no access. */
  readonly toUsersOnSites = new Pairs();
  readonly toTeamsOnSites = new Pairs();
  /** Sites with contents. */
  readonly siteSpaces = new Pairs();
  /** Second records of users that say something else than the first. */
  readonly otherUsers: { readonly user: number; readonly line: number }[] = [];
  readonly #profiles = new Texts();
  readonly #profileBegins = new Column();
  readonly #profileLengths = new Column();
  readonly #profileOmitted = new Column();
  readonly #userLines = new Column();

  /** `lines` of records count through all files. */
  addOrganization(id: string, title: string, line: number): void {
    this.organizations.add(this.#organization(id), { title, line });
  }

  addUser(id: string, { text, omitted }: Document, line: number): void {
    const user = this.users.number(id);
    if (this.hasUser(user)) {
      if (this.profile(user) !== text) this.otherUsers.push({ user, line });
      return;
    }
    const { begin, length } = this.#profiles.write(text);
    this.#profileBegins.set(user, begin);
    this.#profileLengths.set(user, length);
    this.#profileOmitted.set(user, omitted);
    this.#userLines.set(user, line);
  }

  /** As {@link addUser}, for a text that lies among bytes. Returns false if the user has a record already. */
  addPlainUser(
    user: number,
    bytes: Buffer,
    begin: number,
    end: number,
    omitted: number,
    line: number,
  ): boolean {
    if (this.hasUser(user)) return false;
    this.#profileBegins.set(user, this.#profiles.add(bytes, begin, end));
    this.#profileLengths.set(user, end - begin);
    this.#profileOmitted.set(user, omitted);
    this.#userLines.set(user, line);
    return true;
  }

  addMember(organization: string, user: string, rank: number, line: number): void {
    const number = this.#organization(organization);
    this.members.add(this.users.number(user), (number << RANK_BITS) | rank, line);
  }

  addTeam(id: string, organization: string, document: string, line: number): void {
    this.teams.add(this.#team(id), { organization: this.#organization(organization), document, line });
  }

  addTeamMember(team: string, user: string, isOwner: boolean, line: number): void {
    this.memberships.add(this.users.number(user), (this.#team(team) << OWNER_BIT) | Number(isOwner), line);
  }

  addContent(
    kind: ContentKind,
    id: string,
    content: Omit<StagedContent, "organization" | "kind" | "parent" | "level"> & {
      readonly organization: string;
      readonly parent: string | undefined;
      readonly defaultLevel: DefaultLevel;
    },
  ): void {
    const { organization, parent, defaultLevel, ...fields } = content;
    this.contents.add(this.#content(contentKey(kind, id)), {
      ...fields,
      level: rankOfLevel(defaultLevel),
      organization: this.#organization(organization),
      kind,
      parent: parent === undefined ? undefined : this.#content(contentKey("collection", parent)),
    });
  }

  addSite(
    id: string,
    site: Omit<StagedSite, "organization" | "level"> & {
      readonly organization: string;
      readonly defaultLevel: DefaultLevel;
    },
  ): void {
    const { organization, defaultLevel, ...fields } = site;
    this.sites.add(this.#site(id), {
      ...fields,
      level: rankOfLevel(defaultLevel),
      organization: this.#organization(organization),
    });
  }

  addSiteSpace(site: string, space: string, line: number): void {
    this.siteSpaces.add(this.#site(site), this.#content(contentKey("space", space)), line);
  }

  addUserPermission(content: ContentKey, user: string, rank: number, line: number): void {
    this.toUsers.add(this.users.number(user), (this.#content(content) << RANK_BITS) | rank, line);
  }

  addTeamPermission(content: ContentKey, team: string, rank: number, line: number): void {
    this.toTeams.add(this.#content(content), (this.#team(team) << RANK_BITS) | rank, line);
  }

  addUserPermissionOnSite(site: string, user: string, rank: number, line: number): void {
    this.toUsersOnSites.add(this.users.number(user), (this.#site(site) << RANK_BITS) | rank, line);
  }

  addTeamPermissionOnSite(site: string, team: string, rank: number, line: number): void {
    this.toTeamsOnSites.add(this.#site(site), (this.#team(team) << RANK_BITS) | rank, line);
  }

  /** Whether there is a record of a user. */
  hasUser(user: number): boolean {
    return this.#profileBegins.has(user);
  }

  profile(user: number): string {
    return this.#profiles.slice(this.#profileBegins.at(user), this.#profileLengths.at(user));
  }

  /** In bytes. */
  profileLength(user: number): number {
    return this.#profileLengths.at(user);
  }

  /** Copies the profile of a user. Returns where it ends. */
  copyProfile(user: number, to: Buffer, at: number): number {
    return this.#profiles.copy(this.#profileBegins.at(user), this.#profileLengths.at(user), to, at);
  }

  /** The bytes that have the profile of a user, from `begin` up to `end`. */
  profileIn(user: number): BytesOfText {
    return bytesOf(this.#profiles, this.#profileBegins.at(user), this.#profileLengths.at(user));
  }

  omittedOf(user: number): number {
    return this.#profileOmitted.at(user);
  }

  lineOf(user: number): number {
    return this.#userLines.at(user);
  }

  #organization(id: string): number {
    return this.organizations.names.number(id);
  }

  #team(id: string): number {
    return this.teams.names.number(id);
  }

  #content(key: ContentKey): number {
    return this.contents.names.number(key);
  }

  #site(id: string): number {
    return this.sites.names.number(id);
  }
}
