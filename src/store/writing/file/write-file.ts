/**
 * Writes an organization of whole files: as a new generation if it is new or much of it differs, else in place. Nobody
 * sees any of it before it is published.
 */
import { CommandError } from "../../../domain/error.ts";
import { type SqlValue, type Staging, statement } from "../../engine/engine.ts";
import type { Publication } from "../../revisions/publication.ts";
import { inParts } from "../../rows/lists.ts";
import type { Totals } from "../../rows/revision-row.ts";
import { undoUnpublished } from "../../rows/undo.ts";
import { CONTENT, MEMBER, type RowTable, SITE, TEAM } from "../../rows/tables.ts";
import { FOREVER } from "../../schema/as-of.ts";
import { rowOfRecord } from "../../schema/record-change.ts";
import { writeInPlace } from "../in-place.ts";
import { type FileChange, stagedDifferences } from "./difference.ts";
import type { Whole } from "./file-rows.ts";

/** Whether an organization that is stored already is written as a new generation. */
export type IsWhole = (change: Pick<FileChange, "differing" | "of">) => boolean;

/** More than this part of the rows, and more than these, are written anew. */
const MOST_IN_PLACE = 1 / 4;
const ALWAYS_IN_PLACE = 20;

export const usuallyWhole: IsWhole = ({ differing, of }) =>
  differing > ALWAYS_IN_PLACE && differing > of * MOST_IN_PLACE;

/** What is written of an organization, but not yet current. */
export interface Written {
  readonly change: FileChange;
  readonly generation: number;
  readonly totals: Totals;
  /** The number that is reserved for what is written in place. */
  readonly reserved: Publication | undefined;
}

/** `progress` receives the number of rows written since its last call. */
export async function writeFile(
  staging: Staging,
  change: FileChange,
  isWhole: IsWhole,
  progress: (rows: number) => void,
): Promise<Written> {
  const { organization, stored } = change;
  if (stored === undefined || change.isDamaged || isWhole(change))
    return writeAnew(staging, change, progress);
  const differences = stagedDifferences(staging, organization);
  const { reserved, totals } = await writeInPlace(staging, stored.at, stored.totals, differences, progress);
  if (!totals.equals(change.totals)) {
    // What was stored is damaged: with the differences from its rows, it does not become what the files say.
    await undoUnpublished(staging);
    return writeAnew(staging, change, progress);
  }
  return { change, generation: stored.at.generation, totals, reserved };
}

const NEXT_GENERATION = statement<[last: number]>(
  () => "UPDATE counter SET value = value + 1 WHERE name = 'generation' RETURNING value",
);
const BEGIN = statement<never>(() => "INSERT INTO generation (generation, organization) VALUES ($1, $2)");

/** Writes all rows as a new generation. They hold from its first revision on, whose number is not known yet. */
async function writeAnew(
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
  await staging.insert(TEAM.name, inBatches(rowsOf(TEAM, rows.teams(), generation)), progress);
  await staging.insert(CONTENT.name, inBatches(rowsOf(CONTENT, rows.contents(), generation)), progress);
  await staging.insert(SITE.name, inBatches(rowsOf(SITE, rows.sites(), generation)), progress);
  await staging.insert(MEMBER.name, inBatches(rowsOf(MEMBER, rows.memberRows(), generation)), progress);
  if (stored !== undefined)
    await staging.insert("record_change", logOf(staging, organization, generation), progress);
  return { change, generation, totals, reserved: undefined };
}

/** The log with which a new generation begins. Revision 0 stands for its first one. */
async function* logOf(
  staging: Staging,
  organization: string,
  generation: number,
): AsyncGenerator<(readonly SqlValue[])[]> {
  let number = 0;
  for await (const records of stagedDifferences(staging, organization))
    yield records.map((record) => [generation, 0, ++number, ...rowOfRecord(record)]);
}

/** Rows that are written at once. */
const ROWS_A_BATCH = 2048;

function* inBatches<Row>(rows: Iterable<Row>): Generator<Row[]> {
  let batch: Row[] = [];
  for (const row of rows) {
    if (batch.push(row) < ROWS_A_BATCH) continue;
    yield batch;
    batch = [];
  }
  if (batch.length > 0) yield batch;
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
