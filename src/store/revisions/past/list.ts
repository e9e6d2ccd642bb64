import { type Reader, statement } from "../../engine/engine.ts";
import type { Counts, Reading, Revision } from "../../reading.ts";
import { parseCounts, REVISION_COLUMNS, type RevisionRow, revisionOf } from "./row.ts";

export interface ListedRevision {
  readonly revision: number;
  /** ISO 8601, UTC. */
  readonly importedAt: string;
  readonly command: string;
  readonly note: string | undefined;
  /** SHA-256 of the input, hexadecimal. */
  readonly input: string | undefined;
  /** The `id` of the change file. */
  readonly change: string | undefined;
  readonly title: string;
  readonly counts: Counts;
}

type Row = [
  revision: number,
  importedAt: string,
  command: string,
  note: string | null,
  input: string | null,
  change: string | null,
  title: string,
  counts: string,
];

const LISTED = `
    SELECT r.revision, r.imported_at, r.command, r.note, r.input, r.change, r.title, r.counts
      FROM organization o JOIN revision r ON r.organization = o.id AND r.revision >= o.earliest
      WHERE o.id = $1`;
const REVISIONS = statement<Row>(() => `${LISTED} ORDER BY r.revision DESC`);
const UP_TO = statement<Row>(
  () => `${LISTED} AND r.imported_at <= $2 AND r.revision < $3 ORDER BY r.revision DESC LIMIT $4`,
);

/** All readable revisions of an organization, latest first. */
export async function* listRevisions(reader: Reader, organization: string): AsyncGenerator<ListedRevision> {
  for await (const row of reader.stream(REVISIONS, organization)) yield listed(row);
}

/** The readable revisions up to a time (ISO 8601, UTC) with numbers below `below`, latest first; `limit` at most. */
export async function revisionsUpTo(
  reader: Pick<Reader, "read">,
  organization: string,
  { time, below, limit }: { readonly time: string; readonly below: number; readonly limit: number },
): Promise<ListedRevision[]> {
  return (await reader.read(UP_TO, organization, time, below, limit)).map(listed);
}

function listed([revision, importedAt, command, note, input, change, title, counts]: Row): ListedRevision {
  return {
    revision,
    importedAt,
    command,
    note: note ?? undefined,
    input: input ?? undefined,
    change: change ?? undefined,
    title,
    counts: parseCounts(counts),
  };
}

const FROM = statement<RevisionRow>(
  () => `
    SELECT ${REVISION_COLUMNS} FROM organization o
      JOIN revision r ON r.organization = o.id AND r.revision >= o.earliest
      WHERE o.id = $1 AND r.revision >= $2 ORDER BY r.revision LIMIT 1`,
);

/** The readable revision with this number, or the next one; `undefined` if there is none. */
export async function revisionFrom(
  reading: Reading,
  organization: string,
  number: number,
): Promise<Revision | undefined> {
  const [row] = await reading.read(FROM, organization, number);
  return row === undefined ? undefined : revisionOf(row, reading.at.history);
}
