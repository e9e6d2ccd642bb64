/**
 * Finds what the search index lacks at a past revision: the index of a generation has the texts of the generation's
 * last revision.
 */
import { statement } from "../../../store/engine/engine.ts";
import type { Reading } from "../../../store/reading.ts";
import type { Group } from "../../../store/schema/search-terms.ts";
import { type RecordKind, RECORD_KINDS } from "../../../store/schema/record-change.ts";

/** The kinds of records that hold a group's searchable texts, as the first and last of a range of `RECORD_KINDS`. */
const RECORDS: Readonly<Record<Group, readonly [RecordKind, RecordKind]>> = {
  member: ["user", "member"],
  team: ["team", "team"],
  content: ["collection", "space"],
  site: ["site", "site"],
};

type Row = [member: string | null, team: string | null, content: string | null, site: string | null];

const CHANGED = statement<Row>(
  () => `
    SELECT DISTINCT c.member, c.team, c.content, c.site FROM record_change c
      WHERE c.generation = $1 AND c.revision > $2 AND c.kind >= $3 AND c.kind <= $4 LIMIT $5`,
);

/**
 * Up to `most` members, teams, contents or sites whose record changed after the revision that is read, as kind and id,
 * such as `team/ID`.
 */
export async function changedSince(reading: Reading, group: Group, most: number): Promise<string[]> {
  const [first, last] = RECORDS[group];
  const rows = await reading.read(
    CHANGED,
    ...reading.asOf,
    RECORD_KINDS.indexOf(first),
    RECORD_KINDS.indexOf(last),
    most,
  );
  return rows.flatMap(([member, team, content, site]) => {
    if (content !== null) return [content];
    if (site !== null) return [`site/${site}`];
    return team !== null ? [`team/${team}`] : [`member/${member ?? ""}`];
  });
}
