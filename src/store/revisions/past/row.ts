import type { Counts, Revision } from "../../reading.ts";

export type RevisionRow = [
  revision: number,
  generation: number,
  organization: string,
  title: string,
  importedAt: string,
  counts: string,
  erasures: number,
  earliest: number,
];

/** The columns of a {@link RevisionRow}. `r` is the table `revision`, `o` the table `organization`. */
export const REVISION_COLUMNS =
  "r.revision, r.generation, r.organization, r.title, r.imported_at, r.counts, o.erasures, o.earliest";

/** `history` is {@link Reader.history} at the time of the read. */
export function revisionOf(
  [revision, generation, organization, title, importedAt, counts, erasures]: RevisionRow,
  history: number,
): Revision {
  return {
    revision,
    generation,
    history,
    erasures,
    organization,
    title,
    importedAt,
    counts: parseCounts(counts),
  };
}

/** Parses the column `counts`, which only this program writes. */
export function parseCounts(text: string): Counts {
  const counts: Counts = JSON.parse(text);
  return counts;
}
