/** Makes a model from the rows of an organization, in the order in which they are stored. */
import type { ContentKey, DefaultLevel } from "../domain/content.ts";
import { kindOf } from "../domain/content.ts";
import type { Document } from "../domain/document.ts";
import { rank, type Role } from "../domain/role.ts";
import {
  inverted,
  type Lists,
  ListWriter,
  MEMBERSHIP,
  packed,
  PERMISSION,
  weakestFirst,
  Words,
} from "./lists.ts";
import {
  type Contents,
  type Members,
  type Model,
  NOTHING,
  rankOfLevel,
  type Sites,
  type Teams,
} from "./model.ts";
import { TextWriter } from "./texts.ts";
import { depthFirst, type Tree } from "./tree.ts";

/**
 * Teams, contents and sites have a small number that stays the same as long as they exist; rows refer to them by it. No
 * site has the number of a content. Numbers of a model follow from the order of ids and from the tree.
 */
export interface TeamRow {
  readonly number: number;
  readonly id: string;
  readonly text: string;
}

export interface ContentRow {
  readonly number: number;
  readonly key: ContentKey;
  readonly parent: number | undefined;
  readonly level: DefaultLevel;
  /** Milliseconds since 1970; 0 for a collection. */
  readonly created: number;
  readonly document: Document;
  readonly teams: readonly { readonly team: number; readonly role: Role }[];
}

export interface MemberRow {
  readonly id: string;
  readonly role: Role | null;
  readonly document: Document;
  readonly teams: readonly { readonly team: number; readonly isOwner: boolean }[];
  /** On contents and on sites; `null` is no access. */
  readonly permissions: readonly { readonly on: number; readonly role: Role | null }[];
}

export interface SiteRow {
  readonly number: number;
  readonly id: string;
  readonly title: string;
  readonly level: DefaultLevel;
  /** Numbers of contents. */
  readonly spaces: readonly number[];
  readonly teams: readonly { readonly team: number; readonly role: Role | null }[];
}

/** How many rows are read until others get a turn. */
const ROWS_A_TURN = 500;

/**
 * The rows ascend by id or key, in bytes. Yields between stretches of rows, so that whoever runs it can give others
 * their turn.
 */
export function* build(
  organization: Model["organization"],
  rows: {
    readonly teams: Iterable<TeamRow>;
    readonly contents: Iterable<ContentRow>;
    readonly members: Iterable<MemberRow>;
    readonly sites: Iterable<SiteRow>;
  },
): Generator<void, Model> {
  const builder = yield* begin(rows.teams, rows.contents, rows.sites);
  let count = 0;
  for (const row of rows.members) {
    builder.add(row);
    if (++count % ROWS_A_TURN === 0) yield;
  }
  return yield* builder.finish(organization);
}

/** Teams, contents and sites come first, because members refer to them. */
function* begin(
  teams: Iterable<TeamRow>,
  contents: Iterable<ContentRow>,
  sites: Iterable<SiteRow>,
): Generator<void, ModelBuilder> {
  const read = [...teams];
  const teamOf = numbered(read);
  yield;
  const siteRows = [...sites];
  return new ModelBuilder(read, teamOf, yield* placeContents(contents, siteRows, teamOf), siteRows);
}

/** The index of each row by its stored number. */
function numbered(rows: readonly { readonly number: number }[]): Uint32Array {
  const index = new Uint32Array(rows.reduce((most, { number }) => Math.max(most, number + 1), 0));
  for (const [at, { number }] of rows.entries()) index[number] = at;
  return index;
}

/** Ascending entries of one list. */
function addSorted(writer: ListWriter, entries: number[]): void {
  if (entries.length > 1) entries.sort((a, b) => a - b);
  for (const entry of entries) writer.add(entry);
  writer.end();
}

/** Makes a model from its members, one after the other. */
class ModelBuilder {
  readonly #teamRows: readonly TeamRow[];
  readonly #teamOf: Uint32Array;
  readonly #placed: Placed;
  readonly #siteRows: readonly SiteRow[];
  readonly #ids = new TextWriter();
  readonly #profiles = new TextWriter();
  readonly #roles = new Words();
  readonly #omitted = new Words();
  readonly #teams = new ListWriter();
  readonly #permissions = new ListWriter();

  constructor(
    teamRows: readonly TeamRow[],
    teamOf: Uint32Array,
    placed: Placed,
    siteRows: readonly SiteRow[],
  ) {
    this.#teamRows = teamRows;
    this.#teamOf = teamOf;
    this.#placed = placed;
    this.#siteRows = siteRows;
  }

  /** Rows come in the order of their ids. */
  add({ id, role, document, teams, permissions }: MemberRow): void {
    this.#ids.add(id);
    this.#profiles.add(document.text);
    this.#omitted.push(document.omitted);
    this.#roles.push(role === null ? NOTHING : rank(role));
    const { numberOf } = this.#placed;
    addSorted(
      this.#teams,
      teams.map(({ team, isOwner }) => packed(this.#teamOf[team] ?? 0, MEMBERSHIP, isOwner ? 1 : 0)),
    );
    addSorted(
      this.#permissions,
      permissions.map(({ on, role: given }) => packed(numberOf[on] ?? 0, PERMISSION, rankOfLevel(given))),
    );
  }

  *finish(organization: Model["organization"]): Generator<void, Model> {
    const { contents: placed, numberOf } = this.#placed;
    const sites = sitesOf(this.#siteRows, this.#teamOf, numberOf);
    const granted = yield* grantedOn(this.#permissions.lists(), this.#roles.length, placed, sites);
    const members: Members = {
      count: this.#roles.length,
      ids: this.#ids.texts(),
      profiles: this.#profiles.texts(),
      omitted: Uint16Array.from(this.#omitted.array()),
      roles: Uint8Array.from(this.#roles.array()),
      teams: this.#teams.lists(),
      permissions: granted.permissions,
    };
    yield;
    const { length: count } = this.#teamRows;
    const teams: Teams = {
      count,
      ids: this.#teamRows.map(({ id }) => id),
      texts: this.#teamRows.map(({ text }) => text),
      members: yield* inverted(members.teams, count, MEMBERSHIP, false),
      permissions: yield* inverted(placed.teams, count, PERMISSION, true),
    };
    yield;
    const contents = { ...placed, users: granted.onContents };
    return { organization, members, teams, contents, sites: { ...sites, users: granted.onSites } };
  }
}

/**
 * The permissions of members on contents and on sites, from lists in which sites are numbered as if they were contents
 * after the last one.
 */
export function* grantedOn(
  all: Lists,
  members: number,
  contents: { readonly count: number },
  sites: { readonly count: number },
): Generator<void, Readonly<Record<"permissions" | "onContents" | "onSites", Lists>>> {
  const { at, entries } = yield* inverted(all, contents.count + sites.count, PERMISSION, true);
  const end = at[contents.count] ?? 0;
  const onSites = { at: at.slice(contents.count).map((place) => place - end), entries: entries.slice(end) };
  if (end === entries.length)
    return { permissions: all, onContents: { at: at.slice(0, contents.count + 1), entries }, onSites };
  const onContents = { at: at.slice(0, contents.count + 1), entries: entries.slice(0, end) };
  return { permissions: yield* inverted(onContents, members, PERMISSION, true), onContents, onSites };
}

interface Placed {
  readonly contents: Omit<Contents, "users">;
  /** The number in the model, by stored number; of a site, that of a content after the last one. */
  readonly numberOf: Uint32Array;
}

/** Numbers the contents depth first, those of one collection in the order of their keys. */
function* placeContents(
  rows: Iterable<ContentRow>,
  sites: readonly SiteRow[],
  teamOf: Uint32Array,
): Generator<void, Placed> {
  const read: ContentRow[] = [];
  for (const row of rows) if (read.push(row) % ROWS_A_TURN === 0) yield;
  const rowOf = numbered(read);
  const parentOf = ({ parent }: ContentRow) => (parent === undefined ? -1 : (rowOf[parent] ?? -1));
  const tree = yield* depthFirst(Int32Array.from(read, parentOf));
  const order: ContentRow[] = [];
  for (const [at, row] of read.entries()) order[tree.byKey[at] ?? 0] = row;
  return { contents: yield* describe(order, tree, teamOf), numberOf: numbered([...order, ...sites]) };
}

/** What the rows say of themselves, in the order of their numbers. */
function* describe(
  order: readonly ContentRow[],
  tree: Tree,
  teamOf: Uint32Array,
): Generator<void, Omit<Contents, "users">> {
  const count = order.length;
  const [keys, texts, teams] = [new TextWriter(), new TextWriter(), new ListWriter()];
  const [isSpace, levels] = [new Uint8Array(count), new Uint8Array(count)];
  const [created, omitted] = [new Float64Array(count), new Uint16Array(count)];
  for (const [x, row] of order.entries()) {
    keys.add(row.key);
    texts.add(row.document.text);
    omitted[x] = row.document.omitted;
    isSpace[x] = kindOf(row.key) === "space" ? 1 : 0;
    levels[x] = rankOfLevel(row.level);
    created[x] = row.created;
    addTeams(teams, row, teamOf);
    if (x % ROWS_A_TURN === 0) yield;
  }
  return {
    count,
    keys: keys.texts(),
    ...tree,
    isSpace,
    levels,
    created,
    texts: texts.texts(),
    omitted,
    teams: teams.lists(),
  };
}

/** The permissions of teams on a content or a site. */
function addTeams(writer: ListWriter, { teams }: Pick<SiteRow, "teams">, teamOf: Uint32Array): void {
  const given = teams.map(({ team, role }) => packed(teamOf[team] ?? 0, PERMISSION, rankOfLevel(role)));
  for (const entry of given.sort(weakestFirst)) writer.add(entry);
  writer.end();
}

function sitesOf(
  rows: readonly SiteRow[],
  teamOf: Uint32Array,
  contentOf: Uint32Array,
): Omit<Sites, "users"> {
  const [spaces, teams] = [new ListWriter(), new ListWriter()];
  for (const row of rows) {
    for (const number of row.spaces) spaces.add(contentOf[number] ?? 0);
    spaces.end();
    addTeams(teams, row, teamOf);
  }
  return {
    count: rows.length,
    ids: rows.map(({ id }) => id),
    titles: rows.map(({ title }) => title),
    levels: Uint8Array.from(rows, ({ level }) => rankOfLevel(level)),
    spaces: spaces.lists(),
    teams: teams.lists(),
  };
}
