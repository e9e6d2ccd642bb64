/**
 * A checksum of the records of an organization, which does not depend on their order: the sum of a hash of each record.
 * So whoever adds, changes or removes records brings it up to date, and a model says whether it has the records of a
 * revision, however it was made: loaded, or from another model.
 *
 * The names of a record are hashed once for each member, team, content and site; a membership or a permission mixes two
 * of these hashes with what it says. Both numbers of a hash are sums modulo 2^32.
 */
import {
  RECORD_KINDS,
  type RecordChange,
  type RecordKind,
  type RecordNames,
} from "../domain/record-change.ts";
import { MEMBERSHIP, PERMISSION, type Lists } from "./lists.ts";
import { type Model, siteText } from "./model.ts";
import type { Texts } from "./texts.ts";

/** Two hashes of one text. */
export interface Hash {
  readonly a: number;
  readonly b: number;
}

/** The same, of many texts. */
export interface Hashes {
  readonly a: Uint32Array;
  readonly b: Uint32Array;
}

export const NONE: Hash = { a: 0, b: 0 };

export class Checksum {
  #a = 0;
  #b = 0;

  /** A checksum as {@link toString} wrote it; without a text, that of nothing. */
  constructor(text = "0".repeat(16)) {
    this.#a = Number.parseInt(text.slice(0, 8), 16) | 0;
    this.#b = Number.parseInt(text.slice(8), 16) | 0;
  }

  /** Sixteen hexadecimal digits. */
  toString(): string {
    return [this.#a, this.#b].map((sum) => (sum >>> 0).toString(16).padStart(8, "0")).join("");
  }

  /** Counts what another one counts, too. */
  addAll(other: Checksum): void {
    this.#a = (this.#a + other.#a) | 0;
    this.#b = (this.#b + other.#b) | 0;
  }

  /** Counts what changed records were and become. */
  change(changes: Iterable<RecordChange>): void {
    for (const change of changes) {
      if (change.was !== undefined) this.#count(change, change.was, -1);
      if (change.becomes !== undefined) this.#count(change, change.becomes, 1);
    }
  }

  #count(names: RecordNames, says: string, times: 1 | -1): void {
    const { code, about, beside, value } = summandsOf(names, says);
    this.add(code, about.a, about.b, beside.a, beside.b, value, times);
  }

  /** Counts one record `times`, by the hashes of what it is about and of what else it names or says. */
  add(
    code: number,
    aboutA: number,
    aboutB: number,
    besideA: number,
    besideB: number,
    value: number,
    times: 1 | -1 = 1,
  ): void {
    const says = (code << 8) | value;
    this.#a = (this.#a + times * mixed(aboutA, besideA, says)) | 0;
    this.#b = (this.#b + times * mixed(aboutB, besideB, says)) | 0;
  }
}

function mixed(about: number, beside: number, says: number): number {
  let hash = Math.imul(about ^ (says << 16) ^ says, 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13) ^ beside, 0xc2b2ae35);
  hash = Math.imul(hash ^ (hash >>> 16), 0x27d4eb2f);
  return (hash ^ (hash >>> 15)) | 0;
}

/**
 * Permissions of teams and those on sites have codes of their own: a user may have the id of a team, or a text for an id
 * that names a content.
 */
export const OF_TEAM = RECORD_KINDS.length;
export const ON_SITE = OF_TEAM + 1;
export const OF_TEAM_ON_SITE = OF_TEAM + 2;

/** The code of records of a kind; of permissions, those of users on contents. */
export function codeOf(kind: RecordKind): number {
  return RECORD_KINDS.indexOf(kind);
}

function summandsOf(
  { kind, member = "", team, content, site = "" }: RecordNames,
  says: string,
): { readonly code: number; readonly about: Hash; readonly beside: Hash; readonly value: number } {
  const code = codeOf(kind);
  switch (kind) {
    case "organization":
      return { code, about: hashOf(says), beside: NONE, value: 0 };
    case "user":
      return { code, about: hashOf(member), beside: hashOf(says), value: 0 };
    case "member":
      return { code, about: hashOf(member), beside: NONE, value: Number(says) };
    case "team":
      return { code, about: hashOf(team ?? ""), beside: hashOf(says), value: 0 };
    case "teamMember":
      return { code, about: hashOf(member), beside: hashOf(team ?? ""), value: Number(says === "owner") };
    case "collection":
    case "space":
      return { code, about: hashOf(content ?? ""), beside: hashOf(says), value: 0 };
    case "site":
      return { code, about: hashOf(site), beside: hashOf(says), value: 0 };
    case "siteSpace":
      return { code, about: hashOf(site), beside: hashOf(content ?? ""), value: 0 };
    case "permission":
      if (content === undefined)
        return team === undefined
          ? { code: ON_SITE, about: hashOf(site), beside: hashOf(member), value: Number(says) }
          : { code: OF_TEAM_ON_SITE, about: hashOf(site), beside: hashOf(team), value: Number(says) };
      return team === undefined
        ? { code, about: hashOf(member), beside: hashOf(content), value: Number(says) }
        : { code: OF_TEAM, about: hashOf(team), beside: hashOf(content), value: Number(says) };
  }
}

export function hashOf(text: string): Hash {
  const bytes = Buffer.from(text);
  const hashes = noHashes(1);
  hashBytes(hashes, 0, bytes, 0, bytes.length);
  return { a: hashes.a[0] ?? 0, b: hashes.b[0] ?? 0 };
}

export function noHashes(count: number): Hashes {
  return { a: new Uint32Array(count), b: new Uint32Array(count) };
}

/** Hashes text `i`, which has the bytes from `begin` up to `end`. */
export function hashBytes({ a, b }: Hashes, i: number, bytes: Buffer, begin: number, end: number): void {
  let [one, other] = [0x811c9dc5, 0];
  for (let at = begin; at < end; at++) {
    const byte = bytes[at] ?? 0;
    one = Math.imul(one ^ byte, 0x01000193);
    other = (Math.imul(other, 31) + byte) | 0;
  }
  a[i] = one;
  b[i] = other;
}

function hashesOf(texts: readonly string[]): Hashes {
  const hashes = noHashes(texts.length);
  for (const [i, text] of texts.entries()) {
    const bytes = Buffer.from(text);
    hashBytes(hashes, i, bytes, 0, bytes.length);
  }
  return hashes;
}

/** How many bytes are hashed until others get a turn: some milliseconds. */
const BYTES_A_TURN = 1 << 21;

function* hashesIn({ bytes, begins, ends }: Texts): Generator<void, Hashes> {
  const hashes = noHashes(begins.length);
  let turn = BYTES_A_TURN;
  for (let i = 0; i < begins.length; i++) {
    const [begin, end] = [begins[i] ?? 0, ends[i] ?? 0];
    hashBytes(hashes, i, bytes, begin, end);
    turn -= end - begin;
    if (turn > 0) continue;
    turn = BYTES_A_TURN;
    yield;
  }
  return hashes;
}

/** How many records are counted until others get a turn: some milliseconds. */
const RECORDS_A_TURN = 250_000;

/** The checksum of the records of a model. Yields so that others get their turn. */
export function* checksumOf({
  organization,
  members,
  teams,
  contents,
  sites,
}: Model): Generator<void, string> {
  const sum = new Checksum();
  const people = yield* hashesIn(members.ids);
  const profiles = yield* hashesIn(members.profiles);
  const things = yield* hashesIn(contents.keys);
  const documents = yield* hashesIn(contents.texts);
  const groups = hashesOf(teams.ids);
  const places = hashesOf(sites.ids);
  const title = hashOf(organization.title);
  sum.add(codeOf("organization"), title.a, title.b, 0, 0, 0);
  yield* count(sum, codeOf("user"), people, profiles);
  const role = codeOf("member");
  for (let x = 0; x < members.count; x++)
    sum.add(role, people.a[x] ?? 0, people.b[x] ?? 0, 0, 0, members.roles[x] ?? 0);
  yield* count(sum, codeOf("team"), groups, hashesOf(teams.texts));
  const [space, collection] = [codeOf("space"), codeOf("collection")];
  const codeOfContent = (x: number) => (contents.isSpace[x] === 1 ? space : collection);
  for (let x = 0; x < contents.count; x++) {
    const code = codeOfContent(x);
    sum.add(code, things.a[x] ?? 0, things.b[x] ?? 0, documents.a[x] ?? 0, documents.b[x] ?? 0, 0);
  }
  yield* count(sum, codeOf("site"), places, hashesOf(sites.ids.map((_, x) => siteText(sites, x))));
  yield* countLists(sum, codeOf("teamMember"), people, members.teams, groups, MEMBERSHIP);
  yield* countLists(sum, codeOf("permission"), people, members.permissions, things, PERMISSION);
  yield* countLists(sum, OF_TEAM, groups, teams.permissions, things, PERMISSION);
  yield* countLists(sum, codeOf("siteSpace"), places, sites.spaces, things, 0);
  yield* countLists(sum, ON_SITE, places, sites.users, people, PERMISSION);
  yield* countLists(sum, OF_TEAM_ON_SITE, places, sites.teams, groups, PERMISSION);
  return sum.toString();
}

/** Counts records that name one thing and say a text. */
function* count(sum: Checksum, code: number, about: Hashes, says: Hashes): Generator<void> {
  for (let x = 0; x < about.a.length; x++) {
    sum.add(code, about.a[x] ?? 0, about.b[x] ?? 0, says.a[x] ?? 0, says.b[x] ?? 0, 0);
    if (x % RECORDS_A_TURN === RECORDS_A_TURN - 1) yield;
  }
}

/** Counts records that name two things, by the entries of lists. */
function* countLists(
  sum: Checksum,
  code: number,
  about: Hashes,
  { at, entries }: Lists,
  beside: Hashes,
  bits: number,
): Generator<void> {
  const mask = (1 << bits) - 1;
  for (let x = 0; x + 1 < at.length; x++) {
    const [a, b] = [about.a[x] ?? 0, about.b[x] ?? 0];
    const end = at[x + 1] ?? 0;
    for (let i = at[x] ?? 0; i < end; i++) {
      const entry = entries[i] ?? 0;
      const y = entry >>> bits;
      sum.add(code, a, b, beside.a[y] ?? 0, beside.b[y] ?? 0, entry & mask);
      if (i % RECORDS_A_TURN === RECORDS_A_TURN - 1) yield;
    }
  }
}
