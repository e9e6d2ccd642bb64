/**
 * Stages plain lines from their bytes: users, members, memberships, spaces of sites and permissions, of which a large file
 * nearly consists. A plain line is an object of strings without escapes and white space, with each field once and plain
 * ids. Any other line, and so every fault, goes to `JSON.parse` and the schemas, which have the messages.
 */
import { userDocument } from "../domain/document.ts";
import { ROLES } from "../domain/role.ts";
import type { Names } from "../store/writing/file/names.ts";
import { OWNER_BIT, RANK_BITS, type Staged } from "../store/writing/file/staged.ts";
import { isWebAddress } from "./records.ts";

const [QUOTE, COMMA, CLOSE, DOT, CARRIAGE_RETURN] = [0x22, 0x2c, 0x7d, 0x2e, 0x0d];

/** By byte: 1 for what ends a string, or may not be in one without an escape. */
const STOPS = Uint8Array.from({ length: 256 }, (_, byte) =>
  Number(byte < 0x20 || byte === QUOTE || byte === 0x5c),
);
/** By byte: 1 for what an id may have, and 2 for what else a plain id of a user may have. */
const IN_IDS = Uint8Array.from({ length: 256 }, (_, byte) => {
  if (/[A-Za-z0-9_-]/.test(String.fromCharCode(byte))) return 1;
  return byte > 0x20 && byte < 0x7f ? 2 : 0;
});
const [MOST_IN_ID, MOST_IN_USER_ID] = [128, 255];

interface Kind {
  /** How its lines begin. */
  readonly begin: Buffer;
  /** What comes before the value of each field. */
  readonly fields: readonly Buffer[];
}

function kind(object: string, ...fields: readonly string[]): Kind {
  return {
    begin: Buffer.from(`{"object":"${object}"`),
    fields: fields.map((name) => Buffer.from(`,"${name}":`)),
  };
}

const USER = kind("user", "id", "displayName", "email", "photoURL");
const MEMBER = kind("member", "organization", "user", "role");
const TEAM_MEMBER = kind("teamMember", "team", "user", "role");
const SITE_SPACE = kind("siteSpace", "site", "space");
const PERMISSION = kind("permission", "space", "collection", "site", "user", "team", "permission");

/** By the byte with which the name of a kind begins. */
const KINDS = new Map(
  [USER, MEMBER, TEAM_MEMBER, SITE_SPACE, PERMISSION].map((each) => [each.begin[11], each]),
);

const RANKS = ROLES.map((role) => Buffer.from(role));
const [OWNER, ORDINARY, NULL] = [Buffer.from("owner"), Buffer.from("member"), Buffer.from("null")];
const PREFIXES = [Buffer.from("space/"), Buffer.from("collection/")];

/** The bits of a user without `urls`. */
const { omitted: WITHOUT_URLS } = userDocument({});

export class PlainLines {
  readonly #staged: Staged;
  #bytes: Buffer = Buffer.alloc(0);
  /** Where the value of each field lies. */
  readonly #begins = new Uint32Array(6);
  readonly #ends = new Uint32Array(6);
  /** The fields that the line has, as bits. */
  #has = 0;
  /** Whether the fields are in the order of the schema. */
  #isInOrder = true;
  readonly #key = Buffer.alloc(MOST_IN_ID + "collection/".length);

  constructor(staged: Staged) {
    this.#staged = staged;
  }

  /**
   * Stages the record of a line, which has the bytes from `begin` up to `end` and is valid UTF-8. Returns false for a line
   * that is not plain; then nothing is staged.
   */
  take(bytes: Buffer, begin: number, end: number, line: number): boolean {
    const found = KINDS.get(bytes[begin + 11]);
    if (found === undefined || !isAt(bytes, begin, found.begin)) return false;
    this.#bytes = bytes;
    const last = bytes[end - 1] === CARRIAGE_RETURN ? end - 1 : end;
    if (!this.#read(found, begin + found.begin.length, last)) return false;
    switch (found) {
      case USER:
        return this.#user(begin, last, line);
      case MEMBER:
        return this.#member(line);
      case TEAM_MEMBER:
        return this.#teamMember(line);
      case SITE_SPACE:
        return this.#siteSpace(line);
      default:
        return this.#permission(line);
    }
  }

  /** Finds the fields. */
  #read({ fields }: Kind, from: number, end: number): boolean {
    const bytes = this.#bytes;
    let [at, last] = [from, -1];
    this.#has = 0;
    this.#isInOrder = true;
    while (bytes[at] === COMMA) {
      let field = last + 1;
      let tried = 0;
      for (; tried < fields.length; tried++, field++) {
        if (field >= fields.length) field -= fields.length;
        if (isAt(bytes, at, fields[field])) break;
      }
      if (tried === fields.length || (this.#has & (1 << field)) !== 0) return false;
      if (field < last) this.#isInOrder = false;
      last = field;
      this.#has |= 1 << field;
      at += fields[field]?.length ?? 0;
      if (bytes[at] === QUOTE) {
        this.#begins[field] = ++at;
        while (STOPS[bytes[at] ?? 0] === 0) at++;
        if (bytes[at] !== QUOTE) return false;
        this.#ends[field] = at++;
      } else if (isAt(bytes, at, NULL)) {
        // The role of a guest, or no access to a site.
        if (field !== (fields === MEMBER.fields ? 2 : fields === PERMISSION.fields ? 5 : -1)) return false;
        this.#begins[field] = at;
        at += NULL.length;
        this.#ends[field] = at;
      } else return false;
    }
    return bytes[at] === CLOSE && at + 1 === end;
  }

  #user(begin: number, end: number, line: number): boolean {
    const required = 0b0011;
    if ((this.#has & required) !== required || !this.#isInOrder || !this.#isUserId(0)) return false;
    if ((this.#has & 0b1000) !== 0 && !isWebAddress(this.#text(3))) return false;
    return this.#staged.addPlainUser(this.#userOf(0), this.#bytes, begin, end, WITHOUT_URLS, line);
  }

  #member(line: number): boolean {
    if (this.#has !== 0b111 || !this.#isId(0) || !this.#isUserId(1)) return false;
    const rank = this.#rank(2);
    if (rank < 0) return false;
    const organization = this.#number(this.#staged.organizations.names, 0);
    this.#staged.members.add(this.#userOf(1), (organization << RANK_BITS) | rank, line);
    return true;
  }

  #teamMember(line: number): boolean {
    if (this.#has !== 0b111 || !this.#isId(0) || !this.#isUserId(1)) return false;
    const isOwner = this.#is(2, OWNER);
    if (!isOwner && !this.#is(2, ORDINARY)) return false;
    const team = this.#number(this.#staged.teams.names, 0);
    this.#staged.memberships.add(this.#userOf(1), (team << OWNER_BIT) | Number(isOwner), line);
    return true;
  }

  #siteSpace(line: number): boolean {
    if (this.#has !== 0b11 || !this.#isId(0) || !this.#isId(1)) return false;
    this.#staged.siteSpaces.add(this.#number(this.#staged.sites.names, 0), this.#content(0, 1), line);
    return true;
  }

  #permission(line: number): boolean {
    const [space, collection, site, user, team] = [0, 1, 2, 3, 4];
    const place = [space, collection].find((field) => (this.#has & (1 << field)) !== 0) ?? site;
    const grantee = (this.#has & (1 << user)) !== 0 ? user : team;
    if (this.#has !== ((1 << place) | (1 << grantee) | (1 << 5)) || !this.#isId(place)) return false;
    const rank = this.#rank(5);
    if (rank < 0 || (rank === 0 && place !== site)) return false;
    if (!(grantee === user ? this.#isUserId(user) : this.#isId(team))) return false;
    const { toUsers, toTeams, toUsersOnSites, toTeamsOnSites, sites, teams } = this.#staged;
    const on = place === site ? this.#number(sites.names, site) : this.#content(place, place);
    if (grantee === user) {
      const pairs = place === site ? toUsersOnSites : toUsers;
      pairs.add(this.#userOf(user), (on << RANK_BITS) | rank, line);
    } else {
      const pairs = place === site ? toTeamsOnSites : toTeams;
      pairs.add(on, (this.#number(teams.names, team) << RANK_BITS) | rank, line);
    }
    return true;
  }

  /** Whether a field is 1 to 128 of the characters of ids. */
  #isId(field: number): boolean {
    const [begin = 0, end = 0] = [this.#begins[field], this.#ends[field]];
    if (begin === end || end - begin > MOST_IN_ID) return false;
    for (let at = begin; at < end; at++) if (IN_IDS[this.#bytes[at] ?? 0] !== 1) return false;
    return true;
  }

  #isUserId(field: number): boolean {
    const [begin = 0, end = 0] = [this.#begins[field], this.#ends[field]];
    if (begin === end || end - begin > MOST_IN_USER_ID || this.#bytes[begin] === DOT) return false;
    for (let at = begin; at < end; at++) if (IN_IDS[this.#bytes[at] ?? 0] === 0) return false;
    return true;
  }

  #is(field: number, word: Buffer): boolean {
    const begin = this.#begins[field] ?? 0;
    return this.#ends[field] === begin + word.length && isAt(this.#bytes, begin, word);
  }

  /** The rank of the role that a field names; 0 for null, and -1 for any other text. */
  #rank(field: number): number {
    if (this.#bytes[(this.#begins[field] ?? 0) - 1] !== QUOTE) return 0;
    const found = RANKS.findIndex((role) => this.#is(field, role));
    return found < 0 ? found : found + 1;
  }

  #text(field: number): string {
    return this.#bytes.toString("utf8", this.#begins[field], this.#ends[field]);
  }

  #number(names: Names, field: number): number {
    return names.numberOf(this.#bytes, this.#begins[field] ?? 0, this.#ends[field] ?? 0);
  }

  #userOf(field: number): number {
    return this.#number(this.#staged.users, field);
  }

  /** The number of the space (0) or the collection (1) that a field names. */
  #content(which: number, field: number): number {
    const from = PREFIXES[which]?.copy(this.#key) ?? 0;
    const length = this.#bytes.copy(this.#key, from, this.#begins[field], this.#ends[field]);
    return this.#staged.contents.names.numberOf(this.#key, 0, from + length);
  }
}

/** Whether a word begins at a place. */
function isAt(bytes: Buffer, place: number, word: Buffer | undefined): boolean {
  if (word === undefined) return false;
  for (let i = 0; i < word.length; i++) if (bytes[place + i] !== word[i]) return false;
  return true;
}
