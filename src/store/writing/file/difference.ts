/**
 * Compares whole files with the stored rows, in the order of their keys, and stages every record that is added, changed or
 * removed. The counts that an import reports, what the guard judges, the records that `--details` lists and the log all
 * read these staged records.
 */
import type { ContentKey } from "../../../domain/content.ts";
import { kindOf } from "../../../domain/content.ts";
import { compareIds } from "../../../domain/id.ts";
import { keyOfRecord, type RecordChange, type RecordNames } from "../../../domain/record-change.ts";
import { type SqlValue, type Staging, type Statement, statement } from "../../engine/engine.ts";
import { RECORDS_A_BLOCK } from "../in-place.ts";
import { Reading, type Revision } from "../../reading.ts";
import { currentOf } from "../../revisions/publication.ts";
import { holds } from "../../schema/as-of.ts";
import { decodeContent } from "../../schema/encoding.ts";
import {
  ofEachKind,
  recordColumns,
  recordOfRow,
  type RecordRow,
  rowOfRecord,
} from "../../schema/record-change.ts";
import { isChange, type OrganizationChange, type RecordDifference } from "../organization-change.ts";
import { namesIn, withNames } from "../resolve/preview.ts";
import { storedTexts } from "../../rows/look-up.ts";
import { joinedRows } from "../../rows/joined-rows.ts";
import { OWNER, rankIn, readList } from "../../rows/lists.ts";
import { totalsOf } from "../write-change.ts";
import type { Totals } from "../../rows/revision-row.ts";
import {
  CONTENT,
  type ContentValues,
  MEMBER,
  type MemberValues,
  type Place,
  type RowTable,
  SITE,
  type SiteValues,
  type Stored,
  TEAM,
} from "../../rows/tables.ts";
import { FileRows, NO_NUMBERS, type Ordered, type StoredNumbers, type Whole } from "./file-rows.ts";

/** What files say of an organization, and how that differs from what is stored. */
export interface FileChange extends OrganizationChange {
  readonly rows: FileRows;
  /** The totals that the records of the files make. */
  readonly totals: Totals;
  /** What is stored now; `undefined` for a new organization. */
  readonly stored: { readonly at: Revision; readonly totals: Totals } | undefined;
  /** How many members, contents, teams and sites differ, of how many that there are or were. */
  readonly differing: number;
  readonly of: number;
  /** Whether stored rows are not those that were written (docs/operations.md, "Verify"), as far as a comparison sees it. */
  readonly isDamaged: boolean;
}

/** Whether an organization gets a new revision: it changes, or what is stored of it is damaged. */
export function isWritten(change: FileChange): boolean {
  return change.isDamaged || isChange(change);
}

/**
 * Compares the records of files, which hold together, with the stored ones. Stages those that differ, of new
 * organizations only if `alsoNew`, and returns one entry for each organization, by id. Call it once, before anything is
 * published.
 */
export async function compareFiles(
  staging: Staging,
  ordered: Ordered,
  alsoNew: boolean,
): Promise<FileChange[]> {
  const { text } = staging.dialect;
  await staging.create(
    "staged_differing",
    `organization ${text}, kind smallint, member ${text}, team ${text}, content ${text}, site ${text}, was ${text},
     becomes ${text}`,
  );
  const differing = new Appender(staging, "staged_differing", 8);
  const changes: FileChange[] = [];
  const { names } = ordered.staged.organizations;
  for (const organization of names.order()) {
    const compared = new Comparison(staging, names.name(organization), differing, alsoNew);
    changes.push(await compared.compare(ordered, organization));
  }
  await differing.flush();
  await staging.createAs("staged_difference", NUMBERED, "organization, kind, number");
  return changes;
}

/**
 * The differing records in the order in which they are listed: of each kind, those of members first, then by key. Databases
 * place null differently: a permission on a site has no content.
 */
const NUMBERED = `
  SELECT organization, kind,
      row_number() OVER (
        ORDER BY kind, CASE WHEN member IS NULL THEN 1 ELSE 0 END, organization, member, team, coalesce(content, ''), site
      ) AS number,
      member, team, content, site, was, becomes
    FROM staged_differing`;

/** Collects the rows of a staged table until there are enough for an append. */
class Appender {
  readonly #staging: Staging;
  readonly #table: string;
  readonly #columns: number;
  /** The values of the rows in sequence. One array per row would burden the garbage collector. */
  #values: SqlValue[] = [];

  constructor(staging: Staging, table: string, columns: number) {
    this.#staging = staging;
    this.#table = table;
    this.#columns = columns;
  }

  add(row: readonly SqlValue[]): void {
    for (const value of row) this.#values.push(value);
  }

  get isFull(): boolean {
    return this.#values.length >= ROWS_AN_APPEND * this.#columns;
  }

  async flush(): Promise<void> {
    const values = this.#values;
    this.#values = [];
    if (values.length > 0) await this.#staging.append(this.#table, this.#columns, values);
  }
}

const ROWS_AN_APPEND = 4096;

/** The records in which what a row was and what it becomes differ, and others that do not. */
type ChangesOf<Values> = (id: string, was: Values | undefined, becomes: Values | undefined) => RecordChange[];

/** Where a comparison is in the rows that the files make. */
interface Cursor<Values> {
  /** The next row; `undefined` at the end. */
  readonly row: Whole<Values> | undefined;
  next(): void;
}

class MadeRows<Values> implements Cursor<Values> {
  readonly #rows: Iterator<Whole<Values>, void>;
  row: Whole<Values> | undefined;

  constructor(rows: Iterator<Whole<Values>, void>) {
    this.#rows = rows;
    this.next();
  }

  next(): void {
    this.row = this.#rows.next().value ?? undefined;
  }
}

class MadeMembers implements Cursor<MemberValues> {
  readonly #rows: FileRows;
  #at = 0;
  #row: Whole<MemberValues> | undefined;
  /** Where rows are written, to compare them. */
  #written = Buffer.alloc(0);

  constructor(rows: FileRows) {
    this.#rows = rows;
  }

  get row(): Whole<MemberValues> | undefined {
    if (this.#at < this.#rows.members.length) this.#row ??= this.#rows.member(this.#at);
    return this.#row;
  }

  next(): void {
    this.#at++;
    this.#row = undefined;
  }

  /** Goes back to the row before, if it has this id. */
  backTo(id: string): boolean {
    if (this.#at === 0 || this.#rows.member(this.#at - 1)[0] !== id) return false;
    this.#at--;
    this.#row = undefined;
    return true;
  }

  /** Passes all rows of a block, if the next rows are the same. Returns how many; 0 if one differs. */
  passEqual(block: Buffer): number {
    let [at, end] = [this.#at, 0];
    for (; at < this.#rows.members.length; at++) {
      const most = this.#rows.mostBytes(at);
      if (this.#written.length < end + most) this.#written = Buffer.concat([this.#written], 2 * (end + most));
      const begin = end;
      end = this.#rows.writeMember(at, this.#written, begin);
      if (end > block.length || block.compare(this.#written, begin, end, begin, end) !== 0) return 0;
      if (end === block.length) break;
      if (block[end] !== LINE_FEED) return 0;
      this.#written[end++] = LINE_FEED;
    }
    if (end !== block.length) return 0;
    const passed = at + 1 - this.#at;
    this.#at = at + 1;
    this.#row = undefined;
    return passed;
  }
}

const LINE_FEED = 10;
const memberBlocks = joinedRows(MEMBER);

/** The part of the first row of a block. */
function partIn(block: Buffer): number {
  return Number.parseInt(block.toString("latin1", 0, 20), 10);
}

/** The rows of a block. */
function* membersIn(block: Buffer): Generator<readonly [part: number, id: string, values: MemberValues]> {
  for (const line of block.toString().split("\n")) {
    const [part, id = "", role, omitted, teams = "", permissions = "", profile = ""] = line.split("\t");
    yield [Number(part), id, [Number(role), Number(omitted), teams, permissions, profile]];
  }
}

/** A row whose lists go on in a part. */
function goneOn<Values extends SqlValue[]>(
  { lists: { textsOf, withTexts } }: RowTable<Values>,
  [id, values]: Whole<Values>,
  part: Values,
): Whole<Values> {
  const more = textsOf(part);
  const texts = textsOf(values).map((text, list) => text + (more[list] ?? ""));
  return [id, withTexts(values, texts)];
}

/** Compares one organization. */
class Comparison {
  readonly #staging: Staging;
  readonly #organization: string;
  readonly #differing: Appender;
  readonly #alsoNew: boolean;
  readonly #kinds = ofEachKind(() => ({ added: 0, changed: 0, removed: 0 }));
  #isNew = true;
  #rows = 0;
  #rowsDiffering = 0;
  #isDamaged = false;

  constructor(staging: Staging, organization: string, differing: Appender, alsoNew: boolean) {
    this.#staging = staging;
    this.#organization = organization;
    this.#differing = differing;
    this.#alsoNew = alsoNew;
  }

  async compare(ordered: Ordered, number: number): Promise<FileChange> {
    const at = (await currentOf(this.#staging, this.#organization))?.at;
    this.#isNew = at === undefined;
    const stored = at === undefined ? undefined : { at, totals: await totalsOf(this.#staging, at) };
    const numbers =
      stored === undefined ? NO_NUMBERS : await numbersOf(this.#staging, stored.at, stored.totals);
    const rows = new FileRows(ordered, number, numbers);
    const { title } = rows;
    const { totals, counts } = rows.summary();
    if (!this.#isNew || this.#alsoNew) {
      const names = namesOf(numbers, rows);
      const isRenamed = at?.title !== title;
      if (isRenamed) await this.#add([{ kind: "organization", was: at?.title, becomes: title }]);
      await this.#compareRows(TEAM, TEAMS, rows.teams(), at, (team, was, becomes) => [
        { kind: "team", team, was: was?.[1], becomes: becomes?.[1] },
      ]);
      await this.#compareRows(CONTENT, CONTENTS, rows.contents(), at, (id, was, becomes) =>
        changesOfContent(decodeContent(id), was, becomes, names),
      );
      await this.#compareRows(SITE, SITES, rows.sites(), at, (site, was, becomes) =>
        changesOfSite(site, was, becomes, names),
      );
      await this.#compareMembers(rows, at, names);
    } else this.#countAll(counts);
    if (stored !== undefined && !isChange({ kinds: this.#kinds }))
      this.#isDamaged ||= !stored.totals.equals(totals) || !hasNext(stored.totals, totals);
    return {
      organization: this.#organization,
      title,
      current: at?.revision,
      counts,
      kinds: this.#kinds,
      rows,
      totals,
      stored,
      differing: this.#rowsDiffering,
      of: this.#rows,
      isDamaged: this.#isDamaged,
    };
  }

  /** Counts the records of a new organization. */
  #countAll(counts: OrganizationChange["counts"]): void {
    const kinds = this.#kinds;
    kinds.organization.added = 1;
    kinds.user.added = kinds.member.added = counts.members;
    kinds.team.added = counts.teams;
    kinds.teamMember.added = counts.teamMembers;
    kinds.collection.added = counts.collections;
    kinds.space.added = counts.spaces;
    kinds.site.added = counts.sites;
    kinds.siteSpace.added = counts.siteSpaces;
    kinds.permission.added = counts.permissions;
  }

  /** Stages the records in which the rows of a table differ. */
  async #compareRows<Values extends SqlValue[]>(
    table: RowTable<Values>,
    held: Statement<Stored<Values>>,
    made: Iterator<Whole<Values>, void>,
    at: Place | undefined,
    changesOf: ChangesOf<Values>,
  ): Promise<void> {
    const cursor = new MadeRows(made);
    for await (const block of at === undefined ? [] : storedRows(this.#staging, table, held, at))
      for (const row of block) await this.#compareRow(row, cursor, changesOf);
    await this.#addAll(cursor, undefined, changesOf);
  }

  /**
   * As {@link #compareRows} members, of which there may be millions: blocks of rows are compared as bytes, and only those
   * that differ row by row.
   */
  async #compareMembers(rows: FileRows, at: Place | undefined, names: NamesByNumber): Promise<void> {
    const cursor = new MadeMembers(rows);
    const changesOf: ChangesOf<MemberValues> = (member, was, becomes) =>
      changesOfMember(member, was, becomes, names);
    // A row whose lists may go on in the next one.
    let last: Whole<MemberValues> | undefined;
    for await (const block of at === undefined ? [] : memberBlocks(this.#staging, at)) {
      if (last !== undefined && partIn(block) === 0) {
        await this.#compareRow(last, cursor, changesOf);
        last = undefined;
      }
      const equal = last === undefined ? cursor.passEqual(block) : 0;
      this.#rows += equal;
      if (equal > 0) continue;
      for (const [part, id, values] of membersIn(block)) {
        if (part !== 0 && last === undefined && cursor.backTo(id)) {
          // Its row was equal, as long as it did not go on.
          this.#rows--;
          last = cursor.row;
        }
        if (part !== 0 && last?.[0] === id) last = goneOn(MEMBER, last, values);
        else {
          if (last !== undefined) await this.#compareRow(last, cursor, changesOf);
          last = [id, values];
        }
      }
    }
    if (last !== undefined) await this.#compareRow(last, cursor, changesOf);
    await this.#addAll(cursor, undefined, changesOf);
  }

  /** Compares the next stored row. */
  async #compareRow<Values extends SqlValue[]>(
    [id, values]: Whole<Values>,
    cursor: Cursor<Values>,
    changesOf: ChangesOf<Values>,
  ): Promise<void> {
    this.#rows++;
    await this.#addAll(cursor, id, changesOf);
    const { row } = cursor;
    if (row === undefined || row[0] !== id) return this.#differ(changesOf(id, values, undefined));
    const becomes = row[1];
    cursor.next();
    if (!values.every((value, index) => value === becomes[index]))
      await this.#differ(changesOf(id, values, becomes));
  }

  /** Adds the rows of the files that come before an id; without an id, all that are left. */
  async #addAll<Values extends SqlValue[]>(
    cursor: Cursor<Values>,
    before: string | undefined,
    changesOf: ChangesOf<Values>,
  ): Promise<void> {
    for (let { row } = cursor; row !== undefined; { row } = cursor) {
      const [id, values] = row;
      if (before !== undefined && !isBefore(id, before)) return;
      this.#rows++;
      await this.#differ(changesOf(id, undefined, values));
      cursor.next();
    }
  }

  async #differ(records: readonly RecordChange[]): Promise<void> {
    this.#rowsDiffering++;
    const changes = records.filter((change) => change.was !== change.becomes);
    if (changes.length === 0) this.#isDamaged = true;
    await this.#add(changes);
  }

  async #add(changes: readonly RecordChange[]): Promise<void> {
    for (const change of changes) {
      const counts = this.#kinds[change.kind];
      if (change.was === undefined) counts.added++;
      else if (change.becomes === undefined) counts.removed++;
      else counts.changed++;
      this.#differing.add([this.#organization, ...rowOfRecord(change)]);
      if (this.#differing.isFull) await this.#differing.flush();
    }
  }
}

/** Ids as UTF-8 bytes, which is the order of code points. */
function isBefore(a: string, b: string): boolean {
  return a !== b && compareIds(a, b) < 0;
}

const NUMBERS_OF_TEAMS = statement<[id: string, number: number]>(
  () => `SELECT r.id, r.number FROM team_row r WHERE ${holds("r")} AND r.part = 0`,
);
const NUMBERS_OF_CONTENTS = statement<[id: string, number: number]>(
  () => `SELECT r.id, r.number FROM content_row r WHERE ${holds("r")} AND r.part = 0`,
);
const NUMBERS_OF_SITES = statement<[id: string, number: number]>(
  () => `SELECT r.id, r.number FROM site_row r WHERE ${holds("r")} AND r.part = 0`,
);

async function numbersOf(
  staging: Staging,
  { generation, revision }: Revision,
  { sizes: { nextTeam, nextContent } }: Totals,
): Promise<StoredNumbers> {
  const teams = new Map(await staging.read(NUMBERS_OF_TEAMS, generation, revision));
  const contents = new Map(await staging.read(NUMBERS_OF_CONTENTS, generation, revision));
  const sites = new Map(await staging.read(NUMBERS_OF_SITES, generation, revision));
  const next = { nextTeam: after(teams, nextTeam), nextContent: after(sites, after(contents, nextContent)) };
  return { teams, contents, sites, next };
}

function hasNext({ sizes }: Totals, { sizes: { nextTeam, nextContent } }: Totals): boolean {
  return sizes.nextTeam === nextTeam && sizes.nextContent === nextContent;
}

/** The next number, which must be greater than all that are given. */
function after(numbers: ReadonlyMap<string, number>, next: number): number {
  return numbers.values().reduce((most, number) => Math.max(most, number + 1), next);
}

/** Ids by number: those that are stored, and those in the files. */
interface NamesByNumber {
  readonly teams: ReadonlyMap<number, string>;
  readonly contents: ReadonlyMap<number, ContentKey>;
  readonly contentsAndSites: ReadonlyMap<number, Pick<RecordNames, "content" | "site">>;
}

function namesOf({ teams, contents, sites }: StoredNumbers, rows: FileRows): NamesByNumber {
  const keys = new Map([
    ...Array.from(contents, ([id, number]) => [number, decodeContent(id)] as const),
    ...rows.contentKeys(),
  ]);
  return {
    teams: new Map([...Array.from(teams, ([id, number]) => [number, id] as const), ...rows.teamIds()]),
    contents: keys,
    contentsAndSites: new Map<number, Pick<RecordNames, "content" | "site">>([
      ...Array.from(keys, ([number, content]) => [number, { content }] as const),
      ...Array.from(sites, ([site, number]) => [number, { site }] as const),
      ...Array.from(rows.siteIds(), ([number, site]) => [number, { site }] as const),
    ]),
  };
}

/**
 * The changed entries of a list. `said` is what a record says for what the list says. What a damaged row names, but is not
 * there, is left out; then the outcome is not what the files say, and they are written anew.
 */
function changesIn<Name>(
  was: string | undefined,
  becomes: string | undefined,
  names: ReadonlyMap<number, Name>,
  namesOf: (name: Name) => RecordNames,
  said: (says: string) => string = (says) => says,
): RecordChange[] {
  if (was === becomes) return [];
  const [before, after] = [readList(was ?? ""), readList(becomes ?? "")];
  const changes: RecordChange[] = [];
  for (const number of new Set([...before.keys(), ...after.keys()])) {
    const [old, now] = [before.get(number), after.get(number)];
    if (old === now) continue;
    const says = (text: string | undefined) => (text === undefined ? undefined : said(text));
    const name = names.get(number);
    if (name !== undefined) changes.push({ ...namesOf(name), was: says(old), becomes: says(now) });
  }
  return changes;
}

function changesOfContent(
  content: ContentKey,
  was: ContentValues | undefined,
  becomes: ContentValues | undefined,
  names: NamesByNumber,
): RecordChange[] {
  const [teams, document] = [5, 6] as const;
  return [
    { kind: kindOf(content), content, was: was?.[document], becomes: becomes?.[document] },
    ...changesIn(
      was?.[teams],
      becomes?.[teams],
      names.teams,
      (team) => ({ kind: "permission", content, team }),
      rankIn,
    ),
  ];
}

function changesOfMember(
  member: string,
  was: MemberValues | undefined,
  becomes: MemberValues | undefined,
  names: NamesByNumber,
): RecordChange[] {
  const [role, teams, permissions, profile] = [0, 2, 3, 4] as const;
  const rankOf = (values: MemberValues | undefined) =>
    values === undefined ? undefined : String(values[role]);
  return [
    { kind: "user", member, was: was?.[profile], becomes: becomes?.[profile] },
    { kind: "member", member, was: rankOf(was), becomes: rankOf(becomes) },
    ...changesIn(
      was?.[teams],
      becomes?.[teams],
      names.teams,
      (team) => ({ kind: "teamMember", member, team }),
      (says) => (says === OWNER ? "owner" : "member"),
    ),
    ...changesIn(
      was?.[permissions],
      becomes?.[permissions],
      names.contentsAndSites,
      (on) => ({ kind: "permission", member, ...on }),
      rankIn,
    ),
  ];
}

function changesOfSite(
  site: string,
  was: SiteValues | undefined,
  becomes: SiteValues | undefined,
  names: NamesByNumber,
): RecordChange[] {
  const [teams, spaces, document] = [2, 3, 4] as const;
  return [
    { kind: "site", site, was: was?.[document], becomes: becomes?.[document] },
    ...changesIn(was?.[spaces], becomes?.[spaces], names.contents, (content) => ({
      kind: "siteSpace",
      site,
      content,
    })),
    ...changesIn(
      was?.[teams],
      becomes?.[teams],
      names.teams,
      (team) => ({ kind: "permission", site, team }),
      rankIn,
    ),
  ];
}

const ROWS_A_BLOCK = 1000;

/** Reads the rows of a table that hold at a revision, in the order of their keys. */
function heldIn<Values extends SqlValue[]>(table: RowTable<Values>): Statement<Stored<Values>> {
  return statement(
    () => `
      SELECT r.id, r.part, r.since, ${table.listed("r")} FROM ${table.name} r WHERE ${holds("r")}
        ORDER BY r.id, r.part`,
  );
}

const [TEAMS, CONTENTS, SITES] = [heldIn(TEAM), heldIn(CONTENT), heldIn(SITE)];

/** What a table has at a revision, with whole lists, in blocks. */
async function* storedRows<Values extends SqlValue[]>(
  staging: Staging,
  table: RowTable<Values>,
  held: Statement<Stored<Values>>,
  { generation, revision }: Place,
): AsyncGenerator<Whole<Values>[]> {
  const rows = staging.stream(held, generation, revision);
  let block: Whole<Values>[] = [];
  let last: Whole<Values> | undefined;
  const take = ([id, part, , ...values]: Stored<Values>) => {
    if (part === 0 || last === undefined) {
      if (last !== undefined) block.push(last);
      last = [id, values];
      return;
    }
    last = goneOn(table, last, values);
  };
  if (Symbol.iterator in rows) {
    for (const row of rows) {
      take(row);
      if (block.length < ROWS_A_BLOCK) continue;
      yield block;
      block = [];
    }
  } else {
    for await (const row of rows) {
      take(row);
      if (block.length < ROWS_A_BLOCK) continue;
      yield block;
      block = [];
    }
  }
  yield last === undefined ? block : [...block, last];
}

const DIFFERENCES = statement<[number: number, ...record: RecordRow]>(
  () => `
    SELECT d.number, ${recordColumns("d")} FROM staged_difference d
      WHERE d.organization = $1 AND (d.kind, d.number) > ($2, $3)
      ORDER BY d.kind, d.number LIMIT ${RECORDS_A_BLOCK}`,
);

/** The staged differences of an organization, by kind, in blocks. */
export async function* stagedDifferences(
  staging: Staging,
  organization: string,
): AsyncGenerator<RecordChange[]> {
  for (let [kind, number] = [-1, 0]; ;) {
    const rows = await staging.read(DIFFERENCES, organization, kind, number);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map(([, ...record]) => recordOfRow(record));
    [number, kind] = last;
  }
}

/** The records of an organization that differ, by kind, with names, in pages. */
export async function* differencesOf(
  staging: Staging,
  { organization, rows, stored }: FileChange,
): AsyncGenerator<RecordDifference[]> {
  for await (const records of stagedDifferences(staging, organization)) {
    const missing = records.flatMap(namesIn).filter((names) => rows.textOf(names) === undefined);
    const were =
      stored === undefined || missing.length === 0
        ? new Map<string, string>()
        : await storedTexts(new Reading(staging, stored.at), missing);
    yield records.map((change) =>
      withNames(organization, change, (names) => rows.textOf(names) ?? were.get(keyOfRecord(names))),
    );
  }
}
