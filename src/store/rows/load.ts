/**
 * Loads the model of an organization as of a revision. Rows come in blocks of joined text, which are parsed into arrays
 * whose sizes the revision says; between blocks, others have their turn.
 */
import { DatabaseFileError } from "../../domain/error.ts";
import { titleIn } from "../../domain/record-change.ts";
import { checksumOf } from "../../model/checksum.ts";
import {
  inverted,
  type Lists,
  ListWriter,
  MEMBERSHIP,
  packed,
  PERMISSION,
  weakestFirst,
} from "../../model/lists.ts";
import { grantedOn } from "../../model/builder.ts";
import type { Contents, Members, Model, Sites } from "../../model/model.ts";
import { type Texts, withRoom } from "../../model/texts.ts";
import { depthFirst } from "../../model/tree.ts";
import { type Connection, statement } from "../engine/engine.ts";
import type { Revision } from "../reading.ts";
import { holds } from "../schema/as-of.ts";
import { giveTurn, workInTurns } from "../turns.ts";
import { Fields, joinedRows } from "./joined-rows.ts";
import { rankIn, readList } from "./lists.ts";
import { type RevisionRow, revisionRow, type Sizes } from "./revision-row.ts";
import {
  CONTENT,
  MEMBER,
  type Place,
  SITE,
  type SiteValues,
  SPACES_OF_SITE,
  TEAMS_OF_SITE,
} from "./tables.ts";

type Reader = Pick<Connection, "read">;

/** A model, and what identifies the revision whose records it has. */
export interface Loaded {
  readonly model: Model;
  readonly row: RevisionRow;
}

/**
 * Loads the model of a revision; `undefined` if its rows changed meanwhile: they were pruned, or a person was forgotten.
 * `progress` receives which part of the members is read, from 0 to 1. Throws a
 * DatabaseFileError if the rows are not there, or are not those that the revision had.
 */
export async function loadModel(
  reader: Reader,
  at: Pick<Revision, "organization" | "title" | "generation" | "revision">,
  progress?: (part: number) => void,
): Promise<Loaded | undefined> {
  const row = await revisionRow(reader, at);
  if (row === undefined)
    throw new DatabaseFileError(`The rows of ${nameOf(at)} are not there; rolebook verify says more.`);
  const model = await readModel(reader, at, row.sizes, progress);
  const isWhole = (await workInTurns(checksumOf(model))) === row.checksum;
  const { identity, checksum } = (await revisionRow(reader, at)) ?? {};
  if (identity !== row.identity || checksum !== row.checksum) return undefined;
  if (isWhole) return { model, row };
  throw new DatabaseFileError(
    `The rows of ${nameOf(at)} are not those that it had; rolebook verify says more.`,
  );
}

function nameOf({ organization, revision }: Pick<Revision, "organization" | "revision">): string {
  return `organization ${organization} at revision ${revision}`;
}

const TEAMS = statement<[id: string, number: number, document: string]>(
  () => `SELECT r.id, r.number, r.document FROM team_row r WHERE ${holds("r")} ORDER BY r.id`,
);
const SITES = statement<[id: string, part: number, ...values: SiteValues]>(
  () => `
    SELECT r.id, r.part, ${SITE.listed("r")} FROM site_row r WHERE ${holds("r")} ORDER BY r.id, r.part`,
);
const contentBlocks = joinedRows(CONTENT);
const memberBlocks = joinedRows(MEMBER);

/** Reads a model, and does not check that it is whole. Throws a DatabaseFileError if the rows are not as many as `sizes` says. */
export async function readModel(
  reader: Reader,
  at: Pick<Revision, "organization" | "title" | "generation" | "revision">,
  sizes: Readonly<Sizes>,
  progress: (part: number) => void = () => {},
): Promise<Model> {
  const rows = await reader.read(TEAMS, at.generation, at.revision);
  const teamOf = new Uint32Array(sizes.nextTeam);
  for (const [index, [, number]] of rows.entries()) teamOf[number] = index;
  const placed = await readContents(reader, at, sizes, teamOf);
  const sites = sitesOf(await reader.read(SITES, at.generation, at.revision), teamOf, placed);
  const read = await readMembers(reader, at, sizes, { teamOf, contentOf: placed.contentOf }, progress);
  const { contents } = placed;
  const granted = await workInTurns(grantedOn(read.permissions, read.count, contents, sites));
  const members = { ...read, permissions: granted.permissions };
  return {
    organization: { id: at.organization, title: at.title },
    members,
    teams: {
      count: rows.length,
      ids: rows.map(([id]) => id),
      texts: rows.map(([, , text]) => text),
      members: await workInTurns(inverted(members.teams, rows.length, MEMBERSHIP, false)),
      permissions: await workInTurns(inverted(contents.teams, rows.length, PERMISSION, true)),
    },
    contents: { ...contents, users: granted.onContents },
    sites: { ...sites, users: granted.onSites },
  };
}

/** Texts that are copied one behind the other into one buffer. */
class TextCopy {
  readonly #bytes: Buffer;
  readonly #at: Uint32Array;
  #count = 0;

  constructor(count: number, bytes: number) {
    this.#bytes = withRoom(bytes);
    this.#at = new Uint32Array(count + 1);
  }

  /** Copies the text that was read last. */
  add({ bytes, begin, end }: Fields): void {
    const to = this.#at[this.#count] ?? 0;
    bytes.copy(this.#bytes, to, begin, end);
    this.#at[++this.#count] = to + end - begin;
  }

  texts(): Texts {
    return { bytes: this.#bytes, begins: this.#at.slice(0, -1), ends: this.#at.slice(1) };
  }
}

/** Lists that are read one after the other. */
class ListCopy implements Lists {
  readonly at: Uint32Array;
  readonly entries: Uint32Array;

  constructor(count: number, entries: number) {
    this.at = new Uint32Array(count + 1);
    this.entries = new Uint32Array(entries);
  }

  /** Reads entries of list `x`: the first ones, or further ones. */
  add(x: number, isFirst: boolean, fields: Fields, indexOf: Uint32Array, bits: number): void {
    const from = this.at[isFirst ? x : x + 1] ?? 0;
    this.at[x + 1] = fields.list(this.entries, from, indexOf, bits);
  }

  /** Sorts list `x`: numbers of the model are mostly, but not always, in the order of stored ones. */
  ascend(x: number): void {
    const end = this.at[x + 1] ?? 0;
    for (let i = (this.at[x] ?? 0) + 1; i < end; i++) {
      if ((this.entries[i - 1] ?? 0) <= (this.entries[i] ?? 0)) continue;
      this.of(x).sort();
      return;
    }
  }

  /** The entries of list `x`, in the order in which they were read. */
  of(x: number): Uint32Array {
    return this.entries.subarray(this.at[x], this.at[x + 1]);
  }
}

/** By stored number, the number of a team, or of a content or a site, in the model. */
interface Numbers {
  readonly teamOf: Uint32Array;
  readonly contentOf: Uint32Array;
}

async function readMembers(
  reader: Reader,
  place: Place,
  sizes: Readonly<Sizes>,
  { teamOf, contentOf }: Numbers,
  progress: (part: number) => void,
): Promise<Members> {
  const count = sizes.members;
  const ids = new TextCopy(count, sizes.memberBytes);
  const profiles = new TextCopy(count, sizes.profileBytes);
  const [roles, omitted] = [new Uint8Array(count), new Uint16Array(count)];
  const teams = new ListCopy(count, sizes.memberships);
  const permissions = new ListCopy(count, sizes.permissions);
  let x = -1;
  for await (const block of memberBlocks(reader, place)) {
    const fields = new Fields(block);
    while (!fields.isAtEnd) {
      const isFirst = fields.number() === 0;
      fields.text();
      if (isFirst) {
        x++;
        ids.add(fields);
      }
      const [role, left] = [fields.number(), fields.number()];
      teams.add(x, isFirst, fields, teamOf, MEMBERSHIP);
      permissions.add(x, isFirst, fields, contentOf, PERMISSION);
      fields.lastText();
      teams.ascend(x);
      permissions.ascend(x);
      if (!isFirst) continue;
      roles[x] = role;
      omitted[x] = left;
      profiles.add(fields);
    }
    progress((x + 1) / (count + 1));
    await giveTurn();
  }
  mustBe(x + 1, count, "members");
  const { at, entries } = permissions;
  return {
    count,
    ids: ids.texts(),
    roles,
    profiles: profiles.texts(),
    omitted,
    teams: { at: teams.at, entries: teams.entries },
    permissions: { at, entries },
  };
}

function mustBe(found: number, expected: number, what: string): void {
  if (found !== expected)
    throw new DatabaseFileError(`There are rows of ${found} ${what}; the revision has ${expected}.`);
}

interface Placed {
  readonly contents: Omit<Contents, "users">;
  readonly contentOf: Uint32Array;
}

/** What the rows of contents have, in the order of their keys. */
interface ContentRows {
  readonly numbers: Uint32Array;
  readonly parents: Uint32Array;
  readonly levels: Uint8Array;
  readonly created: Float64Array;
  readonly omitted: Uint16Array;
  readonly keys: Texts;
  readonly texts: Texts;
  readonly teams: ListCopy;
}

async function readContentRows(
  reader: Reader,
  place: Place,
  sizes: Readonly<Sizes>,
  teamOf: Uint32Array,
): Promise<ContentRows> {
  const count = sizes.contents;
  const keys = new TextCopy(count, sizes.contentBytes);
  const texts = new TextCopy(count, sizes.documentBytes);
  const [numbers, parents, levels] = [new Uint32Array(count), new Uint32Array(count), new Uint8Array(count)];
  const [created, omitted] = [new Float64Array(count), new Uint16Array(count)];
  const teams = new ListCopy(count, sizes.teamPermissions);
  let at = -1;
  for await (const block of contentBlocks(reader, place)) {
    const fields = new Fields(block);
    while (!fields.isAtEnd) {
      const isFirst = fields.number() === 0;
      fields.text();
      if (isFirst) {
        at++;
        keys.add(fields);
      }
      const [number, parent, level] = [fields.number(), fields.number(), fields.number()];
      const [time, left] = [fields.number(), fields.number()];
      teams.add(at, isFirst, fields, teamOf, PERMISSION);
      fields.lastText();
      if (!isFirst) continue;
      numbers[at] = number;
      parents[at] = parent;
      levels[at] = level;
      created[at] = time;
      omitted[at] = left;
      texts.add(fields);
    }
    await giveTurn();
  }
  mustBe(at + 1, count, "contents");
  return { numbers, parents, levels, created, omitted, keys: keys.texts(), texts: texts.texts(), teams };
}

async function readContents(
  reader: Reader,
  place: Place,
  sizes: Readonly<Sizes>,
  teamOf: Uint32Array,
): Promise<Placed> {
  const rows = await readContentRows(reader, place, sizes, teamOf);
  return workInTurns(placeContents(rows, sizes.nextContent));
}

/** How many contents are placed until others get a turn. */
const CONTENTS_A_TURN = 5_000;

/** Numbers the contents depth first. */
function* placeContents(rows: ContentRows, nextNumber: number): Generator<void, Placed> {
  const count = rows.numbers.length;
  const placeOf = new Int32Array(nextNumber).fill(-1);
  for (const [at, number] of rows.numbers.entries()) placeOf[number] = at;
  const tree = yield* depthFirst(Int32Array.from(rows.parents, (number) => placeOf[number] ?? -1));
  const order = new Uint32Array(count);
  for (const [at, x] of tree.byKey.entries()) order[x] = at;
  yield;
  const contentOf = new Uint32Array(nextNumber);
  const [isSpace, levels] = [new Uint8Array(count), new Uint8Array(count)];
  const [created, omitted] = [new Float64Array(count), new Uint16Array(count)];
  const [keys, texts] = [reordered(rows.keys, order), reordered(rows.texts, order)];
  const teams = { at: new Uint32Array(count + 1), entries: new Uint32Array(rows.teams.entries.length) };
  yield;
  for (const [x, at] of order.entries()) {
    contentOf[rows.numbers[at] ?? 0] = x;
    isSpace[x] = Number(keys.bytes[keys.begins[x] ?? 0] === SPACE);
    levels[x] = rows.levels[at] ?? 0;
    created[x] = rows.created[at] ?? 0;
    omitted[x] = rows.omitted[at] ?? 0;
    const [given, begin] = [rows.teams.of(at), teams.at[x] ?? 0];
    teams.entries.set(given.length > 1 ? given.toSorted(weakestFirst) : given, begin);
    teams.at[x + 1] = begin + given.length;
    if (x % CONTENTS_A_TURN === CONTENTS_A_TURN - 1) yield;
  }
  return { contents: { count, keys, ...tree, isSpace, levels, created, texts, omitted, teams }, contentOf };
}

/** With this byte, the key of a space begins. */
const SPACE = 0x73;

function reordered({ bytes, begins, ends }: Texts, order: Uint32Array): Texts {
  return {
    bytes,
    begins: order.map((at) => begins[at] ?? 0),
    ends: order.map((at) => ends[at] ?? 0),
  };
}

/** Adds the sites to `contentOf`, as if they were contents after the last one. */
function sitesOf(
  rows: readonly [id: string, part: number, ...values: SiteValues][],
  teamOf: Uint32Array,
  { contents, contentOf }: Placed,
): Omit<Sites, "users"> {
  const orderOf = new Uint32Array(contents.count);
  for (const [order, x] of contents.byKey.entries()) orderOf[x] = order;
  const parts = Map.groupBy(rows, ([id]) => id);
  const firsts = rows.filter(([, part]) => part === 0);
  const [spaces, teams] = [new ListWriter(), new ListWriter()];
  for (const [id] of firsts) {
    const values = (parts.get(id) ?? []).map(([, , ...rest]) => rest);
    const said = (list: number) =>
      values.flatMap((part) => [...readList(SITE.lists.textsOf(part)[list] ?? "")]);
    const linked = said(SPACES_OF_SITE).map(([number]) => contentOf[number] ?? 0);
    for (const x of linked.sort((a, b) => (orderOf[a] ?? 0) - (orderOf[b] ?? 0))) spaces.add(x);
    spaces.end();
    const given = said(TEAMS_OF_SITE).map(([number, says]) =>
      packed(teamOf[number] ?? 0, PERMISSION, Number(rankIn(says))),
    );
    for (const entry of given.sort(weakestFirst)) teams.add(entry);
    teams.end();
  }
  for (const [site, [, , number]] of firsts.entries()) contentOf[number] = contents.count + site;
  return {
    count: firsts.length,
    ids: firsts.map(([id]) => id),
    titles: firsts.map(([, , , , , , document]) => titleIn(document)),
    levels: Uint8Array.from(firsts, ([, , , level]) => level),
    spaces: spaces.lists(),
    teams: teams.lists(),
  };
}
