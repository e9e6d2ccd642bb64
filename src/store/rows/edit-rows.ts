/** Edits the rows that changed records touch: reads them by key, ends them at a revision, and adds what they become. */
import { type ContentKey, contentKey, kindOf } from "../../domain/content.ts";
import { spaceDocument, userDocument } from "../../domain/document.ts";
import type { JsonObject } from "../../domain/json.ts";
import {
  type ContentDocument,
  contentIn,
  memberIn,
  siteIn,
  teamIn,
  keyOfRecord,
  type RecordChange,
  type RecordKind,
} from "../../domain/record-change.ts";
import { rankOfLevel } from "../../model/model.ts";
import { type Connection, type SqlValue, type Statement, readEach, statement } from "../engine/engine.ts";
import { type KeyedRow, KeyedRows } from "./keyed-rows.ts";
import { type Entry, LONGEST, OWNER, ranked, sorted, stretchesOf, writeList } from "./lists.ts";
import type { Sizes } from "./revision-row.ts";
import {
  CONTENT,
  MEMBER,
  PERMISSIONS_OF_MEMBER,
  type Place,
  type Row,
  type RowTable,
  SITE,
  SPACES_OF_SITE,
  TEAM,
  TEAMS_OF_MEMBER,
  TEAMS_OF_SITE,
} from "./tables.ts";

/**
 * Makes the rows of a generation hold the changed records from a revision on, which nobody may read yet. All that names
 * a removed thing must be among the changes of the revision; new teams, contents and sites get the next numbers.
 *
 * The changes of one revision may be given in several calls, in the order of their kinds. Then `promised` has, from one
 * call to the next, the numbers of collections that are named before they come. Throws an Error if a record was not what
 * the changes say.
 */
export async function editRows(
  connection: Connection,
  place: Place,
  changes: readonly RecordChange[],
  next: Pick<Sizes, "nextTeam" | "nextContent">,
  promised?: Map<ContentKey, number>,
): Promise<void> {
  const changed = Map.groupBy(changes, ({ kind }) => kind);
  const of = (...kinds: readonly RecordKind[]) => kinds.flatMap((kind) => changed.get(kind) ?? []);
  const contents = of("collection", "space");
  const permissions = Map.groupBy(of("permission"), ({ team, site }) =>
    team === undefined ? "to users" : site === undefined ? "to teams" : "to teams on sites",
  );
  const toUsers = permissions.get("to users") ?? [];
  const toTeams = permissions.get("to teams") ?? [];
  const toTeamsOnSites = permissions.get("to teams on sites") ?? [];

  const teamNumbers = await numbersOf(
    connection,
    place,
    NUMBERS_OF_TEAMS,
    of("team", "teamMember", "permission").flatMap(({ team }) => team ?? []),
  );
  for (const { team = "", was } of of("team")) if (was === undefined) teamNumbers.set(team, next.nextTeam++);
  const parents = new Map(contents.map((change) => [change, parentOf(change)]));
  const contentNumbers = await numbersOf(connection, place, NUMBERS_OF_CONTENTS, [
    ...[...contents, ...of("siteSpace", "permission")].flatMap(({ content }) => content ?? []),
    ...[...parents.values()].filter((key) => key !== undefined),
  ]);
  for (const change of contents) {
    if (change.was !== undefined) continue;
    const content = contentIn(change);
    contentNumbers.set(content, promised?.get(content) ?? next.nextContent++);
    promised?.delete(content);
  }
  for (const parent of parents.values()) {
    if (promised === undefined || parent === undefined || contentNumbers.has(parent)) continue;
    const number = promised.get(parent) ?? next.nextContent++;
    promised.set(parent, number);
    contentNumbers.set(parent, number);
  }
  const siteNumbers = await numbersOf(
    connection,
    place,
    NUMBERS_OF_SITES,
    of("site", "permission").flatMap(({ site }) => site ?? []),
  );
  for (const { site = "", was } of of("site"))
    if (was === undefined) siteNumbers.set(site, next.nextContent++);
  const teamOf = ({ team = "" }: RecordChange) => numberIn(teamNumbers, team);
  const siteOf = ({ site = "" }: RecordChange) => numberIn(siteNumbers, site);
  const contentOf = (change: RecordChange) => numberIn(contentNumbers, contentIn(change));
  const contentOrSiteOf = (change: RecordChange) =>
    change.content === undefined ? siteOf(change) : contentOf(change);

  const teams = new Edits(TEAM);
  await teams.load(connection, place, of("team"), teamIn, []);
  for (const change of of("team")) {
    const { team = "", becomes } = change;
    if (becomes === undefined) teams.remove(team);
    else teams.put(team, [teamOf(change), becomes]);
  }

  const members = new Edits(MEMBER);
  await members.load(connection, place, of("user", "member"), memberIn, [
    [of("teamMember"), teamOf],
    [toUsers, contentOrSiteOf],
  ]);
  for (const { member = "", becomes } of of("user")) {
    if (becomes === undefined) continue;
    const [role, , ...lists] = members.valuesOf(member) ?? [0, 0, "", "", ""];
    const fields: JsonObject = JSON.parse(becomes);
    const [teams, permissions] = lists;
    members.put(member, [role, userDocument(fields).omitted, teams, permissions, becomes]);
  }
  for (const { member = "", becomes } of of("member")) {
    if (becomes === undefined) continue;
    const [, ...values] = members.valuesOf(member) ?? [0, 0, "", "", ""];
    members.put(member, [Number(becomes), ...values]);
  }
  members.change(TEAMS_OF_MEMBER, of("teamMember"), teamOf, membership);
  members.change(PERMISSIONS_OF_MEMBER, toUsers, contentOrSiteOf, ranked);
  for (const { member = "", becomes } of of("member")) if (becomes === undefined) members.remove(member);

  const levels = new Edits(CONTENT);
  await levels.load(connection, place, contents, contentIn, [[toTeams, teamOf]]);
  for (const change of contents) {
    const { becomes } = change;
    const content = contentIn(change);
    if (becomes === undefined) continue;
    const [, , , , , teams] = levels.valuesOf(content) ?? [0, null, 0, 0, 0, ""];
    const parent = parents.get(change);
    levels.put(content, [
      contentOf(change),
      parent === undefined ? null : numberIn(contentNumbers, parent),
      ...describedBy(content, becomes),
      teams,
      becomes,
    ]);
  }
  levels.change(0, toTeams, teamOf, ranked);
  for (const change of contents) if (change.becomes === undefined) levels.remove(contentIn(change));

  const sites = new Edits(SITE);
  await sites.load(connection, place, of("site"), siteIn, [
    [toTeamsOnSites, teamOf],
    [of("siteSpace"), contentOf],
  ]);
  for (const change of of("site")) {
    const { site = "", becomes } = change;
    if (becomes === undefined) continue;
    const [, , teams, spaces] = sites.valuesOf(site) ?? [0, 0, "", "", ""];
    sites.put(site, [siteOf(change), levelOfSite(becomes), teams, spaces, becomes]);
  }
  sites.change(TEAMS_OF_SITE, toTeamsOnSites, teamOf, ranked);
  sites.change(SPACES_OF_SITE, of("siteSpace"), contentOf, (says) => says);
  for (const { site = "", becomes } of of("site")) if (becomes === undefined) sites.remove(site);

  for (const edits of [teams, levels, members, sites]) await edits.write(connection, place);
}

/** What the list of a member says of a team. */
export function membership(says: string): string {
  return says === "owner" ? OWNER : "";
}

function fieldsOf(document: string): ContentDocument & JsonObject {
  return JSON.parse(document);
}

function parentOf({ becomes }: RecordChange): ContentKey | undefined {
  const { parent } = becomes === undefined ? {} : fieldsOf(becomes);
  return parent === undefined ? undefined : contentKey("collection", parent);
}

/** What the row of a content says beside its number and parent, by its document. */
export function describedBy(
  content: ContentKey,
  document: string,
): [level: number, created: number, omitted: number] {
  const fields = fieldsOf(document);
  const { defaultLevel = "inherit", createdAt = "" } = fields;
  const isSpace = kindOf(content) === "space";
  return [
    rankOfLevel(defaultLevel),
    isSpace ? Date.parse(createdAt) : 0,
    isSpace ? spaceDocument(fields).omitted : 0,
  ];
}

/** The rank of the default level in the document of a site. */
export function levelOfSite(document: string): number {
  const { defaultLevel = "inherit" } = fieldsOf(document);
  return rankOfLevel(defaultLevel);
}

/** The numbers of what there is before the revision or from it on: what it removes is still named by its changes. */
function numbers(table: string): Statement<[id: string, number: number]> {
  const there = "r.generation = $1 AND r.id = given.a AND r.part = 0 AND r.until >= $2";
  return statement(
    ({ first, given }) => `
      SELECT r.id, r.number FROM ${first(given(["text"], 3), table, "r", there, "r.since DESC")}`,
  );
}

const NUMBERS_OF_TEAMS = numbers(TEAM.name);
const NUMBERS_OF_CONTENTS = numbers(CONTENT.name);
const NUMBERS_OF_SITES = numbers(SITE.name);

async function numbersOf(
  connection: Connection,
  { generation, revision }: Place,
  wanted: typeof NUMBERS_OF_TEAMS,
  ids: readonly string[],
): Promise<Map<string, number>> {
  const rows = [...new Set(ids)].map((id) => [id]);
  return new Map(await readEach(connection, wanted, [generation, revision], rows));
}

function numberIn(numbers: ReadonlyMap<string, number>, id: string): number {
  const number = numbers.get(id);
  if (number === undefined) throw new Error(`The changes name ${id}, which is not there.`);
  return number;
}

/** Changed entries of a list, with the number of the entry that each is about. */
type ListChanges = readonly [changes: readonly RecordChange[], numberOf: (change: RecordChange) => number];

/** The edited rows of one table. */
class Edits<Values extends SqlValue[]> {
  readonly #table: RowTable<Values>;
  readonly #rows: KeyedRows<Values>;
  readonly #changed = new Set<KeyedRow<Values>>();
  readonly #removed = new Set<string>();
  #idOf: (change: RecordChange) => string = () => "";

  constructor(table: RowTable<Values>) {
    this.#table = table;
    this.#rows = new KeyedRows(table);
  }

  /** Reads the rows that are about to be edited: for changes of themselves, and of the entries of each of their lists. */
  async load(
    connection: Connection,
    place: Place,
    changes: readonly RecordChange[],
    idOf: (change: RecordChange) => string,
    lists: readonly ListChanges[],
  ): Promise<void> {
    this.#idOf = idOf;
    await this.#rows.read(
      connection,
      place,
      changes.map(idOf),
      lists.map(([entries, numberOf]) => entries.map((change) => [idOf(change), numberOf(change)])),
    );
  }

  /** What the row of an id has; `undefined` if there is none. */
  valuesOf(id: string): Values | undefined {
    return this.#rows.first(id)?.values;
  }

  /** Gives the row of an id other values, but for its lists; adds the row if there is none. */
  put(id: string, values: Values): void {
    let row = this.#rows.first(id);
    if (row === undefined) {
      row = { id, part: 0, since: undefined, values, lists: new Map() };
      this.#rows.add(row);
    } else row.values = values;
    this.#changed.add(row);
  }

  /** Removes an id with all its parts. */
  remove(id: string): void {
    this.#removed.add(id);
  }

  /** Changes entries of a list. */
  change(
    list: number,
    changes: readonly RecordChange[],
    numberOf: (change: RecordChange) => number,
    says: (text: string) => string,
  ): void {
    for (const change of changes) {
      const { was, becomes } = change;
      const number = numberOf(change);
      const row = this.#rows.partOf([this.#idOf(change), number], list);
      if (row === undefined) {
        // The call with the removal of what has the list came before.
        if (becomes === undefined) continue;
        throw unfit(change);
      }
      const entries = this.#rows.entries(row, list);
      if (entries.get(number) !== (was === undefined ? undefined : says(was))) throw unfit(change);
      if (becomes === undefined) entries.delete(number);
      else entries.set(number, says(becomes));
      this.#changed.add(row);
    }
  }

  /** Ends what has changed, and adds what it becomes. */
  async write(connection: Connection, place: Place): Promise<void> {
    const rows = [...this.#changed].filter(({ id }) => !this.#removed.has(id));
    const ended = [
      ...rows.flatMap(({ id, part, since }) => (since === undefined ? [] : [{ id, part, since }])),
      ...(await this.#table.parts(connection, place.generation, [...this.#removed])),
    ];
    await this.#table.end(connection, place, ended);
    await this.#table.add(
      connection,
      place,
      rows.flatMap((row) => this.#become(row)),
    );
  }

  /** What a row becomes: itself, and further parts if its lists have become too long. */
  #become({ id, part, values, lists }: KeyedRow<Values>): Omit<Row<Values>, "since">[] {
    const { textsOf, withTexts, parts, further } = this.#table.lists;
    const texts = [...textsOf(values)];
    const more: Omit<Row<Values>, "since">[] = [];
    for (const [list, entries] of lists) {
      const inOrder = sorted(entries);
      const isLong = inOrder.length > LONGEST;
      const [first = [], ...rest] = isLong ? stretchesOf(inOrder, LONGEST / 2) : [inOrder];
      texts[list] = writeList(first);
      for (const stretch of rest) {
        const said = textsOf(further).map((empty, at) => (at === list ? writeList(stretch) : empty));
        more.push({ id, part: nameOf(parts[list], stretch), values: withTexts(further, said) });
      }
    }
    const isEmpty = part !== 0 && texts.every((text) => text === "");
    return isEmpty ? more : [{ id, part, values: withTexts(values, texts) }, ...more];
  }
}

/** The part that begins with a stretch of entries. */
function nameOf(
  parts: RowTable<SqlValue[]>["lists"]["parts"][number] | undefined,
  [first]: readonly Entry[],
): number {
  return parts?.partOf(first?.[0] ?? 0) ?? 0;
}

function unfit(change: RecordChange): Error {
  return new Error(
    `The rows do not have what a changed record was: ${keyOfRecord(change).replaceAll("\n", " ")}`,
  );
}
