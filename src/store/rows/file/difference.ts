/**
 * Compares whole files with the stored rows, in the order of their keys, and stages every record that is added, changed or
 * removed. The counts that an import reports, what the guard judges, the records that `--details` lists and the log all
 * read these staged records.
 */
import type { ContentKey } from "../../../domain/content.ts";
import { kindOf } from "../../../domain/content.ts";
import { compareIds } from "../../../domain/id.ts";
import type { RecordChange, RecordNames } from "../../../domain/record-change.ts";
import { type SqlValue, type Staging, statement } from "../../engine/engine.ts";
import type { Revision } from "../../reading.ts";
import { currentOf } from "../../revisions/publication.ts";
import { holds } from "../../schema/as-of.ts";
import { decodeContent } from "../../schema/encoding.ts";
import { ofEachKind, rowOfRecord } from "../../schema/record-change.ts";
import { NUMBERED, type OrganizationChange } from "../../writing/generation/difference.ts";
import { Appender } from "../../writing/generation/staged.ts";
import { OWNER, rankIn, readList } from "../lists.ts";
import { totalsOf } from "../write-change.ts";
import type { Totals } from "../revision-row.ts";
import {
  CONTENT,
  type ContentValues,
  MEMBER,
  type MemberValues,
  type Place,
  type RowTable,
  SITE,
  type Stored,
  TEAM,
} from "../tables.ts";
import { FileRows, NO_NUMBERS, Ordered, type StoredNumbers, type Whole } from "./file-rows.ts";
import type { Staged } from "./staged.ts";

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
}

/**
 * Compares the records of files, which hold together, with the stored ones. Stages those that differ, of new
 * organizations only if `alsoNew`, and returns one entry for each organization, by id. Call it once, before anything is
 * published.
 */
export async function compareFiles(
  staging: Staging,
  staged: Staged,
  alsoNew: boolean,
): Promise<FileChange[]> {
  const { text } = staging.dialect;
  await staging.create(
    "staged_differing",
    `organization ${text}, kind smallint, member ${text}, team ${text}, content ${text}, site ${text}, was ${text},
     becomes ${text}`,
  );
  const ordered = new Ordered(staged);
  const differing = new Appender(staging, "staged_differing", 8);
  const changes: FileChange[] = [];
  const { names } = staged.organizations;
  for (const organization of names.order()) {
    const compared = new Comparison(staging, names.name(organization), differing, alsoNew);
    changes.push(await compared.compare(ordered, organization));
  }
  await differing.flush();
  await staging.createAs("staged_difference", NUMBERED, "organization, kind, number");
  return changes;
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
      await this.#compareRows(TEAM, rows.teams(), at, (team, was, becomes) => [
        { kind: "team", team, was: was?.[1], becomes: becomes?.[1] },
      ]);
      await this.#compareRows(CONTENT, rows.contents(), at, (id, was, becomes) =>
        changesOfContent(decodeContent(id), was, becomes, names),
      );
      await this.#compareRows(SITE, rows.sites(), at, (site, was, becomes) => [
        { kind: "site", site, was: was?.[0], becomes: becomes?.[0] },
        ...changesIn(was?.[1], becomes?.[1], (content) => ({
          kind: "siteSpace",
          site,
          content: nameIn(names.contents, content),
        })),
      ]);
      await this.#compareRows(MEMBER, rows.members(), at, (member, was, becomes) =>
        changesOfMember(member, was, becomes, names),
      );
    } else this.#countAll(counts);
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
    made: Iterator<Whole<Values>>,
    at: Place | undefined,
    changesOf: (id: string, was: Values | undefined, becomes: Values | undefined) => RecordChange[],
  ): Promise<void> {
    let next = made.next();
    const differ = async (id: string, was: Values | undefined, becomes: Values | undefined) => {
      this.#rowsDiffering++;
      await this.#add(changesOf(id, was, becomes).filter((change) => change.was !== change.becomes));
    };
    for await (const block of at === undefined ? [] : storedRows(this.#staging, table, at)) {
      for (const [id, values] of block) {
        this.#rows++;
        for (; next.done !== true && isBefore(next.value[0], id); next = made.next()) {
          this.#rows++;
          await differ(next.value[0], undefined, next.value[1]);
        }
        if (next.done === true || next.value[0] !== id) await differ(id, values, undefined);
        else {
          const becomes = next.value[1];
          if (!values.every((value, index) => value === becomes[index])) await differ(id, values, becomes);
          next = made.next();
        }
      }
    }
    for (; next.done !== true; next = made.next()) {
      this.#rows++;
      await differ(next.value[0], undefined, next.value[1]);
    }
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

async function numbersOf(
  staging: Staging,
  { generation, revision }: Revision,
  { sizes: { nextTeam, nextContent } }: Totals,
): Promise<StoredNumbers> {
  return {
    teams: new Map(await staging.read(NUMBERS_OF_TEAMS, generation, revision)),
    contents: new Map(await staging.read(NUMBERS_OF_CONTENTS, generation, revision)),
    next: { nextTeam, nextContent },
  };
}

/** Ids by number: those that are stored, and those in the files. */
interface NamesByNumber {
  readonly teams: ReadonlyMap<number, string>;
  readonly contents: ReadonlyMap<number, ContentKey>;
}

function namesOf({ teams, contents }: StoredNumbers, rows: FileRows): NamesByNumber {
  return {
    teams: new Map([...Array.from(teams, ([id, number]) => [number, id] as const), ...rows.teamIds()]),
    contents: new Map([
      ...Array.from(contents, ([id, number]) => [number, decodeContent(id)] as const),
      ...rows.contentKeys(),
    ]),
  };
}

function nameIn<Name>(names: ReadonlyMap<number, Name>, number: number): Name {
  const name = names.get(number);
  if (name === undefined) throw new Error(`A stored list names ${number}, which is not stored.`);
  return name;
}

/** The changed entries of a list. `said` is what a record says for what the list says. */
function changesIn(
  was: string | undefined,
  becomes: string | undefined,
  namesOf: (number: number) => RecordNames,
  said: (says: string) => string = (says) => says,
): RecordChange[] {
  if (was === becomes) return [];
  const [before, after] = [readList(was ?? ""), readList(becomes ?? "")];
  const changes: RecordChange[] = [];
  for (const number of new Set([...before.keys(), ...after.keys()])) {
    const [old, now] = [before.get(number), after.get(number)];
    if (old === now) continue;
    const says = (text: string | undefined) => (text === undefined ? undefined : said(text));
    changes.push({ ...namesOf(number), was: says(old), becomes: says(now) });
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
  const team = (number: number) =>
    ({ kind: "permission", content, team: nameIn(names.teams, number) }) as const;
  return [
    { kind: kindOf(content), content, was: was?.[document], becomes: becomes?.[document] },
    ...changesIn(was?.[teams], becomes?.[teams], team, rankIn),
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
  const team = (number: number) =>
    ({ kind: "teamMember", member, team: nameIn(names.teams, number) }) as const;
  const content = (number: number) =>
    ({ kind: "permission", member, content: nameIn(names.contents, number) }) as const;
  return [
    { kind: "user", member, was: was?.[profile], becomes: becomes?.[profile] },
    { kind: "member", member, was: rankOf(was), becomes: rankOf(becomes) },
    ...changesIn(was?.[teams], becomes?.[teams], team, (says) => (says === OWNER ? "owner" : "member")),
    ...changesIn(was?.[permissions], becomes?.[permissions], content, rankIn),
  ];
}

const ROWS_A_BLOCK = 1000;

/** What a table has at a revision, with whole lists, in blocks. */
async function* storedRows<Values extends SqlValue[]>(
  staging: Staging,
  table: RowTable<Values>,
  { generation, revision }: Place,
): AsyncGenerator<Whole<Values>[]> {
  const { textsOf, withTexts } = table.lists;
  const rows = staging.stream(table.held, generation, revision);
  let block: Whole<Values>[] = [];
  let last: Whole<Values> | undefined;
  const take = ([id, part, , ...values]: Stored<Values>) => {
    if (part === 0 || last === undefined) {
      if (last !== undefined) block.push(last);
      last = [id, values];
      return;
    }
    const more = textsOf(values);
    const texts = textsOf(last[1]).map((text, list) => text + (more[list] ?? ""));
    last = [id, withTexts(last[1], texts)];
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
