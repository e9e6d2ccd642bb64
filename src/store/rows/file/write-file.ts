/**
 * The writer of whole files. An organization that is new, or of which much differs, is written beside as a new
 * generation. Any other is changed in place, with its log, by which the next writer undoes what is not published
 * (`undo.ts`). Nobody sees any of it before one transaction makes it current.
 */
import { CommandError } from "../../../domain/error.ts";
import type { RecordChange } from "../../../domain/record-change.ts";
import { Checksum } from "../../../model/checksum.ts";
import { type Connection, type Engine, type SqlValue, type Staging, statement } from "../../engine/engine.ts";
import {
  becomeVisible,
  type ChangeSource,
  confirm,
  currentOf,
  numbered,
  point,
  type Publication,
  type Published,
} from "../../revisions/publication.ts";
import { FOREVER } from "../../schema/as-of.ts";
import { recordColumns, recordOfRow, type RecordRow } from "../../schema/record-change.ts";
import { dropTokens } from "../../tokens.ts";
import { isChange } from "../../writing/generation/difference.ts";
import { editRows } from "../edit-rows.ts";
import { inParts } from "../lists.ts";
import { writeLog } from "../log.ts";
import { addRevisionRow, Totals } from "../revision-row.ts";
import { CONTENT, MEMBER, PRESENT, type RowTable, SITE, TEAM } from "../tables.ts";
import type { FileChange } from "./difference.ts";
import type { Whole } from "./file-rows.ts";

/** Whether an organization that is stored already is written as a new generation. */
export type IsWhole = (change: Pick<FileChange, "differing" | "of">) => boolean;

/** More than this part of the rows, and more than these, are written anew. */
const MOST_IN_PLACE = 1 / 4;
const ALWAYS_IN_PLACE = 20;

const usually: IsWhole = ({ differing, of }) => differing > ALWAYS_IN_PLACE && differing > of * MOST_IN_PLACE;

/** What is written of an organization, but not yet current. */
interface Written {
  readonly change: FileChange;
  readonly generation: number;
  readonly totals: Totals;
  /** The number that is reserved for a change in place. */
  readonly reserved: Publication | undefined;
}

/**
 * Publishes compared files as `compareFiles` returns them, and returns the revisions that readers see now. Throws a
 * CommandError if another process has changed an organization since. `progress` receives the number of rows written
 * since its last call.
 */
export async function publishFiles(
  engine: Engine,
  staging: Staging,
  changes: readonly FileChange[],
  source: ChangeSource,
  progress: (rows: number) => void = () => {},
  isWhole = usually,
): Promise<readonly Published[]> {
  const written: Written[] = [];
  for (const change of changes.filter(isChange)) {
    const isNew = change.stored === undefined || isWhole(change);
    written.push(
      await (isNew ? writeWhole(staging, change, progress) : writeInPlace(staging, change, progress)),
    );
  }
  const generations = written.flatMap(({ generation, reserved }) =>
    reserved === undefined ? generation : [],
  );
  await staging.mustHaveWritten(generations);
  const now = Date.now();
  const published = await staging.transaction(async (connection) => {
    const revisions: Published[] = [];
    for (const each of written) revisions.push(await publish(connection, each, source, now));
    for (const change of changes) {
      if (isChange(change)) continue;
      await confirm(connection, change.organization, source, new Date(now).toISOString());
    }
    if (revisions.length > 0) await engine.announce(connection, "revisions");
    return revisions;
  });
  await becomeVisible(engine, published);
  return published;
}

const NEXT_GENERATION = statement<[last: number]>(
  () => "UPDATE counter SET value = value + 1 WHERE name = 'generation' RETURNING value",
);
const BEGIN = statement<never>(() => "INSERT INTO generation (generation, organization) VALUES ($1, $2)");

/** Writes all rows as a new generation. They hold from its first revision on, whose number is not known yet. */
async function writeWhole(
  staging: Staging,
  change: FileChange,
  progress: (rows: number) => void,
): Promise<Written> {
  const { organization, rows, totals, stored } = change;
  const generation = await staging.transaction(async (connection) => {
    const [next] = await connection.read(NEXT_GENERATION);
    if (next === undefined) throw new CommandError("The database has lost its counter of generations.");
    await connection.write(BEGIN, next[0], organization);
    return next[0];
  });
  await staging.insert(TEAM.name, rowsOf(TEAM, rows.teams(), generation), progress);
  await staging.insert(CONTENT.name, rowsOf(CONTENT, rows.contents(), generation), progress);
  await staging.insert(SITE.name, rowsOf(SITE, rows.sites(), generation), progress);
  await staging.insert(MEMBER.name, rowsOf(MEMBER, rows.members(), generation), progress);
  if (stored !== undefined) {
    // Revision 0 stands for the first one of the generation.
    const select = `
      SELECT ${generation}, 0, d.number, ${recordColumns("d")}
        FROM staged_difference d WHERE d.organization = '${organization}'`;
    await staging.fill("record_change", [{ select, order: "d.number" }], progress);
  }
  return { change, generation, totals, reserved: undefined };
}

/** The rows of a generation as the table has them, with lists in parts. */
function* rowsOf<Values extends SqlValue[]>(
  { lists }: RowTable<Values>,
  things: Iterable<Whole<Values>>,
  generation: number,
): Generator<readonly SqlValue[]> {
  const { parts, textsOf, withTexts, further } = lists;
  for (const [id, values] of things) {
    const texts = textsOf(values);
    const split = texts.map((text, list) => inParts(text, parts[list]));
    const first = withTexts(
      values,
      split.map((list) => list.first),
    );
    yield [generation, id, 0, 0, FOREVER, ...first];
    for (const [list, { further: others }] of split.entries()) {
      for (const [part, text] of others) {
        const said = texts.map((_, at) => (at === list ? text : ""));
        yield [generation, id, part, 0, FOREVER, ...withTexts(further, said)];
      }
    }
  }
}

const RESERVE = statement<never>(() => "UPDATE generation SET writing = $2 WHERE generation = $1");
const PUBLISHED = statement<never>(() => "UPDATE generation SET writing = NULL WHERE generation = $1");

/** Changes the rows of the current generation, so that readers of its revisions do not see it. */
async function writeInPlace(
  staging: Staging,
  change: FileChange,
  progress: (rows: number) => void,
): Promise<Written> {
  const { organization, stored } = change;
  if (stored === undefined) throw new TypeError(`Nothing is stored of organization ${organization}.`);
  const { generation, revision: base } = stored.at;
  const reserved = await staging.transaction(async (connection) => {
    const next = await numbered(connection, { organization, base }, Date.now());
    await connection.write(RESERVE, generation, next.revision);
    return next;
  });
  const place = { generation, revision: reserved.revision };
  const totals = new Totals(stored.totals.sizes, new Checksum(stored.totals.checksum.toString()));
  let done = 0;
  for await (const records of stagedDifferences(staging, organization)) {
    await staging.transaction(async (connection) => {
      await writeLog(connection, place, records, done);
      await editRows(connection, place, records, totals.sizes);
    });
    totals.change(records);
    done += records.length;
    progress(records.length);
  }
  if (totals.checksum.toString() !== change.totals.checksum.toString())
    throw new Error(`What was written of organization ${organization} is not what its files say.`);
  return { change, generation, totals, reserved };
}

/** How many records are written in one transaction. */
const RECORDS_A_BLOCK = 2000;

const DIFFERENCES = statement<[number: number, ...record: RecordRow]>(
  () => `
    SELECT d.number, ${recordColumns("d")} FROM staged_difference d
      WHERE d.organization = $1 AND (d.kind, d.number) > ($2, $3)
      ORDER BY d.kind, d.number LIMIT ${RECORDS_A_BLOCK}`,
);

/** The staged differences of an organization, in blocks. */
async function* stagedDifferences(staging: Staging, organization: string): AsyncGenerator<RecordChange[]> {
  for (let [kind, number] = [-1, 0]; ;) {
    const rows = await staging.read(DIFFERENCES, organization, kind, number);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows.map(([, ...record]) => recordOfRow(record));
    [number, kind] = last;
  }
}

/** Makes what is written the current revision. */
async function publish(
  connection: Connection,
  { change, generation, totals, reserved }: Written,
  source: ChangeSource,
  now: number,
): Promise<Published> {
  const { organization, title, counts, stored, kinds } = change;
  const base = stored?.at.revision;
  const publication =
    reserved === undefined
      ? await numbered(connection, { organization, base }, now)
      : await notBefore(connection, organization, base, reserved, now);
  await addRevisionRow(connection, { generation, revision: publication.revision }, totals);
  await point(connection, { organization, base, generation, title, counts, source }, publication);
  if (reserved !== undefined) await connection.write(PUBLISHED, generation);
  if (kinds.member.removed > 0) await dropTokens(connection, organization, generation, PRESENT);
  return { organization, generation, revision: publication.revision };
}

/** A reserved number with the time of now: nobody may have read the revision at an earlier time. */
async function notBefore(
  connection: Connection,
  organization: string,
  base: number | undefined,
  { revision, importedAt }: Publication,
  now: number,
): Promise<Publication> {
  const current = await currentOf(connection, organization);
  if (current?.at.revision !== base) {
    throw new CommandError(
      `Organization ${organization} was changed by another command; nothing was changed. Run this again.`,
    );
  }
  return { revision, importedAt: new Date(Math.max(now, Date.parse(importedAt))).toISOString() };
}
