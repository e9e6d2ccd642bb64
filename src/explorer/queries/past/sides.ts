import type { TwoReadings } from "../../../store/revisions/diff/log.ts";
import { ApiError } from "../../../domain/error.ts";
import { statement } from "../../../store/engine/engine.ts";
import type { Reading, Revision } from "../../../store/reading.ts";
import { REVISION_COLUMNS, type RevisionRow, revisionOf } from "../../../store/revisions/past.ts";

export interface Between {
  readonly earlier: number;
  readonly later: number;
}

const NAMED = statement<RevisionRow>(
  () => `
    SELECT ${REVISION_COLUMNS} FROM organization o JOIN revision r ON r.organization = o.id AND r.revision >= o.earliest
      WHERE o.id = $1 AND (r.revision = $2 OR r.revision = $3) ORDER BY r.revision`,
);

/** Readings of both revisions. Throws 404 if one of them is not readable. */
export async function sidesOf(reading: Reading, { earlier, later }: Between): Promise<TwoReadings> {
  const rows = await reading.read(NAMED, reading.at.organization, earlier, later);
  const [before, after] = [earlier, later].map((number) => {
    const row = rows.find(([revision]) => revision === number);
    if (row !== undefined) return reading.of(revisionOf(row, reading.at.history));
    throw new ApiError("notFound", `There is no revision ${number} that can be read.`);
  });
  if (before === undefined || after === undefined) throw new TypeError("Two revisions are two readings.");
  return { before, after };
}

const UP_TO = statement<[...RevisionRow, command: string, note: string | null]>(
  () => `
    SELECT ${REVISION_COLUMNS}, r.command, r.note
      FROM organization o JOIN revision r ON r.organization = o.id AND r.revision >= o.earliest
      WHERE o.id = $1 AND r.revision <= $2 ORDER BY r.revision DESC LIMIT $3`,
);
const SIZE = statement<[revisions: number]>(
  () => `
    SELECT count(*) FROM organization o JOIN revision r ON r.organization = o.id AND r.revision >= o.earliest
      WHERE o.id = $1 AND r.revision < $2`,
);

export interface Step {
  readonly at: Revision;
  readonly command: string;
  readonly note: string | undefined;
}

/** The last `limit` readable revisions up to the given one, latest first. */
export async function stepsUpTo(reading: Reading, revision: number, limit: number): Promise<Step[]> {
  const rows = await reading.read(UP_TO, reading.at.organization, revision, limit);
  return rows.map(
    ([number, generation, id, title, importedAt, counts, erasures, earliest, command, note]) => ({
      at: revisionOf(
        [number, generation, id, title, importedAt, counts, erasures, earliest],
        reading.at.history,
      ),
      command,
      note: note ?? undefined,
    }),
  );
}

/** The number of readable revisions before the given one. */
export async function countBefore(reading: Reading, revision: number): Promise<number> {
  const [row] = await reading.read(SIZE, reading.at.organization, revision);
  return Number(row?.[0] ?? 0);
}
