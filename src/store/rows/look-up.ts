/** Looks up stored records by their names, at the current revision; all of it by key, never by reading a table. */
import { type ContentKey, type DefaultLevel, kindOf } from "../../domain/content.ts";
import type { Document } from "../../domain/document.ts";
import {
  type AccessFields,
  accessFieldsOf,
  contentIn,
  memberIn,
  siteIn,
  teamIn,
  keyOfRecord,
  type RecordKind,
  type RecordNames,
} from "../../domain/record-change.ts";
import type { Role } from "../../domain/role.ts";
import { levelOfRank } from "../../model/model.ts";
import { type SqlValue, type Statement, statement } from "../engine/engine.ts";
import type { Reading } from "../reading.ts";
import { FOREVER, holds } from "../schema/as-of.ts";
import { decodeContent, decodeMemberRole } from "../schema/encoding.ts";
import { type EntryKey, KeyedRows } from "./keyed-rows.ts";
import { OWNER, rankIn, readList } from "./lists.ts";
import {
  CONTENT,
  MEMBER,
  PERMISSIONS_OF_MEMBER,
  type RowTable,
  SITE,
  SPACES_OF_SITE,
  TEAM,
  TEAMS_OF_MEMBER,
  TEAMS_OF_SITE,
} from "./tables.ts";

export interface Member {
  readonly id: string;
  /** The organization role; `null` for a guest. */
  readonly role: Role | null;
  readonly document: Document;
}

/** The members with the given ids, by id. Other ids are absent. */
export async function membersById(
  reading: Reading,
  ids: readonly string[],
): Promise<ReadonlyMap<string, Member>> {
  const rows = await rowsOf(reading, MEMBER, ids);
  const found = new Map<string, Member>();
  for (const id of ids) {
    const values = rows.first(id)?.values;
    if (values === undefined) continue;
    const [role, omitted, , , text] = values;
    found.set(id, { id, role: decodeMemberRole(role), document: { text, omitted } });
  }
  return found;
}

/** What records say, by their keys. A record that does not exist is absent. */
export type StoredTexts = ReadonlyMap<string, string>;

/** What the records with the given names say. Who is named as a member or as a user is found as both. */
export async function storedTexts(
  reading: Reading,
  names: Iterable<RecordNames>,
): Promise<Map<string, string>> {
  const found = new Map<string, string>();
  const wanted = Map.groupBy(names, ({ kind }) => kind);
  const of = (...kinds: RecordKind[]) => kinds.flatMap((kind) => wanted.get(kind) ?? []);
  const put = (each: RecordNames, text: string | undefined) => {
    if (text !== undefined) found.set(keyOfRecord(each), text);
  };
  const [people, memberships, links] = [of("member", "user"), of("teamMember"), of("siteSpace")];
  const given = Map.groupBy(of("permission"), ({ team, site }) =>
    team === undefined ? "to users" : site === undefined ? "to teams" : "to teams on sites",
  );
  const [toUsers, toTeams] = [given.get("to users") ?? [], given.get("to teams") ?? []];
  const toTeamsOnSites = given.get("to teams on sites") ?? [];

  const named = [...of("team"), ...memberships, ...toTeams, ...toTeamsOnSites];
  const teams = await rowsOf(reading, TEAM, named.map(teamIn));
  const teamOf = (each: RecordNames) => teams.first(teamIn(each))?.values[0];
  for (const each of of("team")) put(each, teams.first(teamIn(each))?.values[1]);

  const contents = new KeyedRows(CONTENT);
  const described = of("collection", "space");
  const placed = [...described, ...links, ...toUsers].flatMap(({ content }) => content ?? []);
  await contents.read(reading, reading.at, placed, [entries(toTeams, contentIn, teamOf)]);
  const contentOf = (each: RecordNames) => contents.first(contentIn(each))?.values[0];
  for (const each of described) put(each, contents.first(contentIn(each))?.values[6]);
  for (const each of toTeams) put(each, rank(said(contents, contentIn(each), 0, teamOf(each))));

  const sites = new KeyedRows(SITE);
  const onSites = toUsers.filter(({ content }) => content === undefined);
  await sites.read(reading, reading.at, [...of("site"), ...onSites].map(siteIn), [
    entries(toTeamsOnSites, siteIn, teamOf),
    entries(links, siteIn, contentOf),
  ]);
  for (const each of of("site")) put(each, sites.first(siteIn(each))?.values[4]);
  for (const each of toTeamsOnSites) put(each, rank(said(sites, siteIn(each), TEAMS_OF_SITE, teamOf(each))));
  for (const each of links) put(each, said(sites, siteIn(each), SPACES_OF_SITE, contentOf(each)));
  const contentOrSiteOf = (each: RecordNames) =>
    each.content === undefined ? sites.first(siteIn(each))?.values[0] : contentOf(each);

  const members = new KeyedRows(MEMBER);
  await members.read(reading, reading.at, people.map(memberIn), [
    entries(memberships, memberIn, teamOf),
    entries(toUsers, memberIn, contentOrSiteOf),
  ]);
  for (const { member = "" } of people) {
    const values = members.first(member)?.values;
    put({ kind: "member", member }, values && String(values[0]));
    put({ kind: "user", member }, values?.[4]);
  }
  for (const each of memberships)
    put(each, membership(said(members, memberIn(each), TEAMS_OF_MEMBER, teamOf(each))));
  for (const each of toUsers)
    put(each, rank(said(members, memberIn(each), PERMISSIONS_OF_MEMBER, contentOrSiteOf(each))));
  return found;
}

async function rowsOf<Values extends SqlValue[]>(
  reading: Reading,
  table: RowTable<Values>,
  ids: Iterable<string>,
): Promise<KeyedRows<Values>> {
  const rows = new KeyedRows(table);
  await rows.read(reading, reading.at, ids);
  return rows;
}

/** The keys of list entries, without those about what is not there. */
function entries(
  records: readonly RecordNames[],
  idOf: (each: RecordNames) => string,
  numberOf: (each: RecordNames) => number | undefined,
): EntryKey[] {
  return records.flatMap((each) => {
    const number = numberOf(each);
    return number === undefined ? [] : [[idOf(each), number] as const];
  });
}

function said<Values extends SqlValue[]>(
  rows: KeyedRows<Values>,
  id: string,
  list: number,
  number: number | undefined,
): string | undefined {
  return number === undefined ? undefined : rows.says([id, number], list);
}

/** The text of a membership, by what a list says of it. */
function membership(says: string | undefined): string | undefined {
  return says === undefined ? undefined : says === OWNER ? "owner" : "member";
}

/** The text of a permission, by what a list says of it. */
function rank(says: string | undefined): string | undefined {
  return says === undefined ? undefined : rankIn(says);
}

/** A stored record that names another one. */
export interface StoredRecord extends RecordNames {
  readonly says: string;
}

type ListedRow = [id: string, ...lists: string[]];

/** Reads the lists of ids with all their parts, in the order of ids and parts. */
function listed(table: string, lists: string): Statement<ListedRow> {
  return statement(
    ({ texts, lookUp }) => `
      SELECT r.id, ${lists} FROM ${lookUp(
        texts("$3", "wanted"),
        table,
        "r",
        `${holds("r")} AND r.id = wanted.value`,
      )} ORDER BY r.id, r.part`,
  );
}

const LISTS_OF_MEMBERS = listed(MEMBER.name, "r.teams, r.permissions");
const SPACES_OF_SITES = listed(SITE.name, "r.spaces");

/** The team memberships and the direct permissions of members: of each member, the memberships first. */
export async function recordsOfMembers(
  reading: Reading,
  members: readonly string[],
): Promise<StoredRecord[]> {
  const rows = await listsOf(reading, LISTS_OF_MEMBERS, members);
  const teams = await idsByNumber(reading, TEAMS_BY_NUMBER, numbersIn(rows, TEAMS_OF_MEMBER));
  const given = numbersIn(rows, PERMISSIONS_OF_MEMBER);
  const contents = await idsByNumber(reading, CONTENTS_BY_NUMBER, given);
  const onSites = given.filter((number) => !contents.has(number));
  const sites = await idsByNumber(reading, SITES_BY_NUMBER, onSites);
  const contentOrSite = (number: number) => {
    const content = contents.get(number);
    return content === undefined ? { site: idIn(sites, number) } : { content: decodeContent(content) };
  };
  return [...rows].flatMap(([member, [memberships = [], permissions = []]]) => [
    ...memberships.map(([number, says]) => ({
      kind: "teamMember" as const,
      member,
      team: idIn(teams, number),
      says: says === OWNER ? "owner" : "member",
    })),
    ...permissions.map(([number, says]) => ({
      kind: "permission" as const,
      member,
      ...contentOrSite(number),
      says: rankIn(says),
    })),
  ]);
}

/** The links of sites to spaces. */
export async function linksOfSites(reading: Reading, sites: readonly string[]): Promise<StoredRecord[]> {
  const rows = await listsOf(reading, SPACES_OF_SITES, sites);
  const contents = await idsByNumber(reading, CONTENTS_BY_NUMBER, numbersIn(rows, 0));
  return [...rows].flatMap(([site, [spaces = []]]) =>
    spaces.map(([number]) => ({
      kind: "siteSpace" as const,
      site,
      content: decodeContent(idIn(contents, number)),
      says: "",
    })),
  );
}

type ListsById = ReadonlyMap<string, readonly (readonly (readonly [number: number, says: string])[])[]>;

/** The entries of lists, by id and by the place of the list. */
async function listsOf(
  reading: Reading,
  wanted: Statement<ListedRow>,
  ids: readonly string[],
): Promise<ListsById> {
  const rows = ids.length === 0 ? [] : await reading.read(wanted, ...reading.asOf, ids);
  const found = new Map<string, [number, string][][]>();
  for (const [id, ...texts] of rows) {
    const lists = found.get(id) ?? texts.map(() => []);
    found.set(id, lists);
    for (const [list, text] of texts.entries()) lists[list]?.push(...readList(text));
  }
  return found;
}

function numbersIn(rows: ListsById, list: number): number[] {
  return [...new Set([...rows.values()].flatMap((lists) => (lists[list] ?? []).map(([number]) => number)))];
}

/** Reads columns of the rows that hold now and have one of some numbers in a column. */
function byNumber<Row extends SqlValue[]>(
  columns: string,
  table: string,
  column: "number" | "parent",
  index: string,
): Statement<Row> {
  return statement(({ lookUp, numbers }) => {
    const condition = `r.generation = $1 AND r.${column} = wanted.value AND r.part = 0 AND r.until = ${FOREVER}`;
    return `SELECT ${columns} FROM ${lookUp(numbers("$2", "wanted"), table, "r", condition, index)}`;
  });
}

type NumberedRow = [number: number, id: string];

const TEAMS_BY_NUMBER = byNumber<NumberedRow>("r.number, r.id", TEAM.name, "number", "team_row_by_number");
const CONTENTS_BY_NUMBER = byNumber<NumberedRow>(
  "r.number, r.id",
  CONTENT.name,
  "number",
  "content_row_by_number",
);
const SITES_BY_NUMBER = byNumber<NumberedRow>("r.number, r.id", SITE.name, "number", "site_row_by_number");
const INSIDE = byNumber<[parent: number, id: string, level: number]>(
  "r.parent, r.id, r.level",
  CONTENT.name,
  "parent",
  "content_row_inside",
);

async function idsByNumber(
  reading: Reading,
  wanted: Statement<NumberedRow>,
  numbers: readonly number[],
): Promise<Map<number, string>> {
  if (numbers.length === 0) return new Map();
  return new Map(await reading.read(wanted, reading.generation, numbers));
}

function idIn<Id>(ids: ReadonlyMap<number, Id>, number: number): Id {
  const id = ids.get(number);
  if (id === undefined) throw new Error(`A stored list names ${number}, which is not stored.`);
  return id;
}

/**
 * Contents and all collections around them, even those from which they do not inherit. Contents that do not exist are
 * absent.
 */
export async function withAncestors(
  reading: Reading,
  keys: readonly ContentKey[],
): Promise<Map<ContentKey, AccessFields>> {
  const found = new Map<ContentKey, AccessFields>();
  for (let wanted = new Set(keys); wanted.size > 0;) {
    const rows = await rowsOf(reading, CONTENT, wanted);
    const above = new Set<ContentKey>();
    for (const key of wanted) {
      const document = rows.first(key)?.values[6];
      if (document === undefined) continue;
      const fields = accessFieldsOf(document);
      found.set(key, fields);
      if (fields.parent !== undefined) above.add(fields.parent);
    }
    wanted = new Set([...above].filter((key) => !found.has(key)));
  }
  return found;
}

/** A content directly in a collection. */
export interface Child {
  readonly content: ContentKey;
  readonly parent: ContentKey;
  readonly defaultLevel: DefaultLevel;
}

/** The contents directly in the given contents, of which spaces have none. */
export async function childrenOf(reading: Reading, keys: readonly ContentKey[]): Promise<Child[]> {
  const parents = keys.filter((key) => kindOf(key) === "collection");
  const rows = await rowsOf(reading, CONTENT, parents);
  const parentOf = new Map<number, ContentKey>();
  for (const key of parents) {
    const number = rows.first(key)?.values[0];
    if (number !== undefined) parentOf.set(number, key);
  }
  if (parentOf.size === 0) return [];
  const children = await reading.read(INSIDE, reading.generation, [...parentOf.keys()]);
  return children.map(([parent, id, level]) => ({
    content: decodeContent(id),
    parent: idIn(parentOf, parent),
    defaultLevel: levelOfRank(level),
  }));
}
