/** The readable revisions, and their approximate size. */
import { type Engine, statement } from "../../engine/engine.ts";
import type { Counts } from "../../reading.ts";
import { parseCounts } from "./row.ts";

export interface Kept {
  readonly organization: string;
  /** The number of readable revisions. `earliest` is the number of the earliest one. */
  readonly revisions: number;
  readonly earliest: number;
  /** The times of the last whole file and of the last change file (ISO 8601, UTC). */
  readonly fileAt: string | undefined;
  readonly changeAt: string | undefined;
  /** The approximate bytes of all revisions before the current one; `undefined` if a node with them does not answer. */
  readonly bytes: number | undefined;
}

const KEPT = statement<
  [
    organization: string,
    earliest: number,
    fileAt: string | null,
    changeAt: string | null,
    current: number,
    revisions: number,
  ]
>(
  () => `
    SELECT o.id, o.earliest, o.file_at, o.change_at, c.generation,
        (SELECT count(*) FROM revision r WHERE r.organization = o.id AND r.revision >= o.earliest)
      FROM organization o JOIN revision c ON c.revision = o.revision ORDER BY o.id`,
);
/** The latest revision of each generation. */
const GENERATIONS = statement<[generation: number, organization: string, counts: string]>(
  () => `
    SELECT r.generation, r.organization, r.counts FROM revision r
      JOIN (SELECT max(l.revision) AS revision FROM revision l GROUP BY l.generation) last ON last.revision = r.revision`,
);
const LOGGED = statement<[records: number]>(() => "SELECT count(*) FROM record_change WHERE generation = $1");

/**
 * The approximate size of a changed record as a multiple of a record: the ended row, the new row, its sets and its log
 * entry.
 */
const CHANGED = 2;

/**
 * The readable revisions of each organization. The size is an estimate from the numbers of records and changes, because
 * the exact size would need a scan of all rows. `lost` has the organizations whose node does not answer.
 */
export async function keptOf(engine: Engine, lost: ReadonlySet<string>): Promise<Kept[]> {
  const kept = await engine.readFresh(KEPT);
  const current = new Map(kept.map(([organization, , , , generation]) => [organization, generation]));
  const past = new Map<string, number>();
  const unknown = new Set(lost);
  let whole = 0;
  for (const [generation, organization, counts] of await engine.readFresh(GENERATIONS)) {
    if (unknown.has(organization)) continue;
    if (!(await engine.answers(generation))) {
      unknown.add(organization);
      continue;
    }
    const [logged] = await engine.readFresh(LOGGED, generation);
    const changes = CHANGED * Number(logged?.[0] ?? 0);
    const records = recordsIn(parseCounts(counts));
    const before = changes + (current.get(organization) === generation ? 0 : records);
    past.set(organization, (past.get(organization) ?? 0) + before);
    whole += changes + records;
  }
  const bytes = await engine.size();
  return kept.map(([organization, earliest, fileAt, changeAt, , revisions]) => ({
    organization,
    revisions: Number(revisions),
    earliest,
    fileAt: fileAt ?? undefined,
    changeAt: changeAt ?? undefined,
    bytes: unknown.has(organization)
      ? undefined
      : whole === 0
        ? 0
        : Math.round((bytes * (past.get(organization) ?? 0)) / whole),
  }));
}

function recordsIn({ members, teams, teamMembers, collections, spaces, ...others }: Counts): number {
  const { sites, siteSpaces, permissions } = others;
  return members + teams + teamMembers + collections + spaces + sites + siteSpaces + permissions;
}
