/**
 * Checks what is stored of an organization, without loading it. One pass over all rows of a generation, ended ones too,
 * finds what they name that is not there, and adds up the sizes and the checksum of each revision. The log must lead from
 * each revision back to the one before it.
 */
import { isDeepStrictEqual } from "node:util";
import { type ContentKey, contentKey } from "../../domain/content.ts";
import { userDocument } from "../../domain/document.ts";
import { isObject, type JsonObject } from "../../domain/json.ts";
import type { RecordNames } from "../../domain/record-change.ts";
import { Checksum } from "../../model/checksum.ts";
import { type Reader, type SqlValue, type Statement, statement } from "../engine/engine.ts";
import { READABLE } from "../revisions/past.ts";
import { FOREVER } from "../schema/as-of.ts";
import { describedBy, levelOfSite } from "./edit-rows.ts";
import { OWNER, rankIn, readList } from "./lists.ts";
import { loggedIn } from "./log.ts";
import { type Sizes, Totals } from "./revision-row.ts";
import { CONTENT, MEMBER, type RowTable, SITE, TEAM } from "./tables.ts";

/** The problem of a revision without its row, which no import makes anew. */
export const LOST = "has no row";

/** What is wrong, as the rest of a sentence that begins with the name of the table. */
const PROBLEMS = {
  lost: LOST,
  names: "names what is not there",
  repeats: "differs from its documents",
  totals: "differs from the records",
  log: "does not lead to the revision before",
} as const;

/** Rows of a table that are not what they must be. */
export interface Finding {
  readonly table: string;
  readonly problem: (typeof PROBLEMS)[keyof typeof PROBLEMS];
  readonly rows: number;
  /** The ids or the revisions of the first ones. */
  readonly first: readonly string[];
  /** Whether the current revision is wrong, and not only those before it. */
  readonly isCurrent: boolean;
}

/** The maximum number of ids in {@link Finding}. */
const MOST_NAMED = 5;

/** Collects findings. */
class Findings {
  readonly #found = new Map<string, Omit<Finding, "rows" | "first" | "isCurrent"> & { ids: Set<string> }>();
  readonly #current = new Set<string>();

  add(table: string, problem: keyof typeof PROBLEMS, id: string, isCurrent: boolean): void {
    const key = `${table} ${problem}`;
    if (isCurrent) this.#current.add(key);
    const found = this.#found.get(key);
    if (found !== undefined) found.ids.add(id);
    else this.#found.set(key, { table, problem: PROBLEMS[problem], ids: new Set([id]) });
  }

  all(): Finding[] {
    return Array.from(this.#found, ([key, { table, problem, ids }]) => ({
      table,
      problem,
      rows: ids.size,
      first: [...ids].slice(0, MOST_NAMED),
      isCurrent: this.#current.has(key),
    }));
  }
}

const KEPT = statement<[revision: number, generation: number, title: string]>(
  () => `SELECT r.revision, r.generation, r.title ${READABLE} ORDER BY r.revision DESC`,
);
const TOTALS = statement<[revision: number, checksum: string, sizes: string]>(
  () => "SELECT r.revision, r.checksum, r.sizes FROM revision_row r WHERE r.generation = $1",
);

type Row<Values extends SqlValue[]> = [
  id: string,
  part: number,
  since: number,
  until: number,
  ...values: Values,
];

function allOf<Values extends SqlValue[]>(table: RowTable<Values>): Statement<Row<Values>> {
  return statement(
    () => `
      SELECT r.id, r.part, r.since, r.until, ${table.listed("r")} FROM ${table.name} r
        WHERE r.generation = $1 ORDER BY r.id, r.part, r.since`,
  );
}

const [MEMBERS, CONTENTS, TEAMS, SITES] = [allOf(MEMBER), allOf(CONTENT), allOf(TEAM), allOf(SITE)];

/**
 * What is wrong with the current revision of an organization, and with those before it that are kept. `reader` must be a
 * consistent read.
 */
export async function findingsOf(
  reader: Pick<Reader, "read" | "stream">,
  organization: string,
): Promise<Finding[]> {
  const findings = new Findings();
  const kept = await reader.read(KEPT, organization);
  const [current = 0] = kept[0] ?? [];
  let later: StoredTotals | undefined;
  for (const [generation, rows] of Map.groupBy(kept, ([, of]) => of)) {
    const stored = new Map<number, readonly [checksum: string, sizes: string]>();
    for (const [revision, ...totals] of await reader.read(TOTALS, generation)) stored.set(revision, totals);
    const revisions = rows.map(([revision, , title]) => [revision, title] as const);
    const pass = new Pass(findings, { generation, revisions, current });
    await pass.read(reader);
    for (const [revision, totals] of pass.totals()) {
      const [checksum, sizes] = stored.get(revision) ?? [];
      if (checksum === undefined || sizes === undefined)
        findings.add("revision_row", "lost", String(revision), revision === current);
      else if (!isEqual(totals, checksum, sizes))
        findings.add("revision_row", "totals", String(revision), revision === current);
      if (later !== undefined && (await before(reader, later, generation)) !== checksum)
        findings.add("record_change", "log", String(later.revision), false);
      later = checksum === undefined ? undefined : { generation, revision, checksum };
    }
  }
  return findings.all();
}

interface StoredTotals {
  readonly generation: number;
  readonly revision: number;
  readonly checksum: string;
}

/** The checksum before a revision, by its log. `generation` is that of the revision before. */
async function before(
  reader: Pick<Reader, "read">,
  { generation, revision, checksum }: StoredTotals,
  generationBefore: number,
): Promise<string> {
  const sum = new Checksum(checksum);
  // What the first revision of a generation changes is logged under 0.
  const place = { generation, revision: generation === generationBefore ? revision : 0 };
  for await (const records of loggedIn(reader, place))
    sum.change(records.map((record) => ({ ...record, was: record.becomes, becomes: record.was })));
  return sum.toString();
}

/** Whether totals are those that are stored. The next numbers only need to be new. */
function isEqual(found: Totals, checksum: string, stored: string): boolean {
  const sizes: Sizes = JSON.parse(stored);
  const isNew = sizes.nextTeam >= found.sizes.nextTeam && sizes.nextContent >= found.sizes.nextContent;
  return isNew && found.equals(new Totals(sizes, new Checksum(checksum)));
}

/** The revisions from which on and up to which something holds. */
interface Period {
  readonly since: number;
  readonly until: number;
}

/** What names a team, a content or a site in records. */
type NamingFields = Pick<RecordNames, "team" | "content" | "site">;

/** The periods of teams, or of contents and sites, by their numbers. */
class Named<Name extends NamingFields> {
  readonly #named = new Map<number, Period & { readonly name: Name }>();

  /** Adds the period of a row. Those of one number follow each other. */
  add(number: number, name: Name, { since, until }: Period): void {
    const { since: first = since, until: last = until } = this.#named.get(number) ?? {};
    this.#named.set(number, { name, since: Math.min(since, first), until: Math.max(until, last) });
  }

  get(number: number): (Period & { readonly name: Name }) | undefined {
    return this.#named.get(number);
  }
}

/** What is checked of a row. */
interface Checked extends Period {
  readonly table: string;
  readonly id: string;
}

interface OfGeneration {
  readonly generation: number;
  /** Those to check, latest first. */
  readonly revisions: readonly (readonly [revision: number, title: string])[];
  readonly current: number;
}

/** One pass over the rows of a generation. */
class Pass {
  readonly #findings: Findings;
  readonly #of: OfGeneration;
  readonly #first: number;
  readonly #last: number;
  readonly #teams = new Named<{ readonly team: string }>();
  readonly #contents = new Named<{ readonly content: ContentKey } | { readonly site: string }>();
  /** What each revision changes. */
  readonly #changes = new Map<number, Totals>();

  constructor(findings: Findings, of: OfGeneration) {
    this.#findings = findings;
    this.#of = of;
    this.#last = of.revisions.at(0)?.[0] ?? 0;
    this.#first = of.revisions.at(-1)?.[0] ?? 0;
  }

  async read(reader: Pick<Reader, "stream">): Promise<void> {
    for await (const [row, [number, document]] of this.#rows(reader, TEAM, TEAMS)) {
      this.#teams.add(number, { team: row.id }, row);
      const { sizes } = this.#changeOf(row.since);
      sizes.nextTeam = Math.max(sizes.nextTeam, number + 1);
      this.#count(row, { kind: "team", team: row.id }, document);
    }
    await this.#readContents(reader);
    for await (const [row, values, part] of this.#rows(reader, SITE, SITES)) {
      const [number, level, teams, spaces, document] = values;
      const { id: site } = row;
      if (part === 0) {
        this.#contents.add(number, { site }, row);
        this.#isGiven(row, number);
        this.#count(row, { kind: "site", site }, document);
        if (parsed(document) === undefined || levelOfSite(document) !== level) this.#differs(row);
      }
      this.#countTeams(row, { site }, teams);
      for (const space of readList(spaces).keys()) {
        const named = this.#named(row, this.#contents, space);
        if (named !== undefined) this.#count(row, { kind: "siteSpace", ...named, site }, "");
      }
    }
    for await (const [row, values, part] of this.#rows(reader, MEMBER, MEMBERS)) {
      const [role, omitted, teams, permissions, profile] = values;
      const { id: member } = row;
      if (part === 0) {
        this.#count(row, { kind: "user", member }, profile);
        this.#count(row, { kind: "member", member }, String(role));
        const fields = parsed(profile);
        if (fields?.["id"] !== member || userDocument(fields).omitted !== omitted) this.#differs(row);
      }
      for (const [number, says] of readList(teams)) {
        const team = this.#named(row, this.#teams, number);
        if (team === undefined) continue;
        this.#count(row, { kind: "teamMember", member, ...team }, says === OWNER ? "owner" : "member");
      }
      for (const [number, says] of readList(permissions)) {
        const named = this.#named(row, this.#contents, number);
        if (named !== undefined) this.#count(row, { kind: "permission", member, ...named }, rankIn(says));
      }
    }
  }

  async #readContents(reader: Pick<Reader, "stream">): Promise<void> {
    const inside: (readonly [row: Checked, parent: number | null, said: unknown])[] = [];
    for await (const [row, values, part] of this.#rows(reader, CONTENT, CONTENTS)) {
      const [number, parent, level, created, omitted, teams, document] = values;
      const [kind, id = ""] = row.id.split("/");
      if (kind !== "space" && kind !== "collection") {
        this.#differs(row);
        continue;
      }
      const content = contentKey(kind, id);
      if (part === 0) {
        this.#contents.add(number, { content }, row);
        this.#isGiven(row, number);
        this.#count(row, { kind, content }, document);
        const fields = parsed(document);
        if (
          fields?.["id"] !== id ||
          !isDeepStrictEqual(describedBy(content, document), [level, created, omitted])
        )
          this.#differs(row);
        inside.push([row, parent, fields?.["parent"]]);
      }
      this.#countTeams(row, { content }, teams);
    }
    for (const [row, parent, said] of inside) {
      const found = parent === null ? undefined : this.#named(row, this.#contents, parent);
      const is = typeof said === "string" ? { content: contentKey("collection", said) } : undefined;
      if (!isDeepStrictEqual(found, is)) this.#differs(row);
    }
  }

  /** The permissions of teams on a content or a site. */
  #countTeams(row: Checked, on: Pick<RecordNames, "content" | "site">, teams: string): void {
    for (const [number, says] of readList(teams)) {
      const team = this.#named(row, this.#teams, number);
      if (team !== undefined) this.#count(row, { kind: "permission", ...on, ...team }, rankIn(says));
    }
  }

  /** A content or a site has a number, which no later one may get. */
  #isGiven({ since }: Period, number: number): void {
    const { sizes } = this.#changeOf(since);
    sizes.nextContent = Math.max(sizes.nextContent, number + 1);
  }

  /** The rows of a table that hold at one of the revisions. */
  async *#rows<Values extends SqlValue[]>(
    reader: Pick<Reader, "stream">,
    { name }: RowTable<Values>,
    all: Statement<Row<Values>>,
  ): AsyncGenerator<readonly [row: Checked, values: Values, part: number]> {
    for await (const [id, part, since, until, ...values] of reader.stream(all, this.#of.generation)) {
      // Rows of before are about to be deleted; those of after were never published.
      if (until <= this.#first || since > this.#last) continue;
      const row = {
        table: name,
        id,
        since: Math.max(since, this.#first),
        until: until > this.#last ? FOREVER : until,
      };
      yield [row, values, part];
    }
  }

  #named<Name extends NamingFields>(row: Checked, names: Named<Name>, number: number): Name | undefined {
    const { name, since = Infinity, until = 0 } = names.get(number) ?? {};
    if (since > row.since || until < row.until)
      this.#findings.add(row.table, "names", row.id, this.#isCurrent(row) && until < FOREVER);
    return name;
  }

  #differs(row: Checked): void {
    this.#findings.add(row.table, "repeats", row.id, this.#isCurrent(row));
  }

  #isCurrent({ until }: Period): boolean {
    return until === FOREVER && this.#last === this.#of.current;
  }

  #count({ since, until }: Period, names: RecordNames, says: string): void {
    this.#changeOf(since).change([{ ...names, was: undefined, becomes: says }]);
    if (until < FOREVER) this.#changeOf(until).change([{ ...names, was: says, becomes: undefined }]);
  }

  #changeOf(revision: number): Totals {
    const known = this.#changes.get(revision);
    if (known !== undefined) return known;
    const change = new Totals();
    this.#changes.set(revision, change);
    return change;
  }

  /** The totals of the revisions, latest first. */
  totals(): (readonly [revision: number, totals: Totals])[] {
    const sum = new Totals();
    const changes = [...this.#changes].sort(([a], [b]) => a - b).values();
    let next = changes.next();
    const found = this.#of.revisions.toReversed().map(([revision, title]) => {
      for (; next.done !== true && next.value[0] <= revision; next = changes.next()) sum.add(next.value[1]);
      const totals = new Totals(sum.sizes, new Checksum(sum.checksum.toString()));
      totals.change([{ kind: "organization", was: undefined, becomes: title }]);
      return [revision, totals] as const;
    });
    return found.toReversed();
  }
}

/** The fields of a document; `undefined` for a text that is none. */
function parsed(document: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(document);
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
