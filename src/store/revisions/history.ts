/**
 * The history: how long revisions stay readable after they were replaced (docs/past.md). An import, a change, and
 * a shorter history raise the earliest readable revision of an organization; `rows/prune.ts` deletes the
 * rows of the revisions before it a minute later, when no running read needs them any more.
 */
import { type Connection, type Engine, type Staging, statement } from "../engine/engine.ts";
import type { Counts } from "../reading.ts";
import { parseCounts } from "./past.ts";

/** The default history, in milliseconds. */
export const HISTORY = 400 * 24 * 60 * 60_000;

/** The shortest accepted history, in milliseconds. */
export const SHORTEST = 10 * 60_000;

/** A history without limit. */
export const ALL = Number.MAX_SAFE_INTEGER;

const KEPT_FOR = statement<[milliseconds: number]>(() => "SELECT value FROM counter WHERE name = 'history'");
const KEEP = statement<never>(() => "UPDATE counter SET value = $1 WHERE name = 'history'");

/** The history of the database, in milliseconds; {@link ALL} for no limit. */
export async function historyOf(connection: Pick<Connection, "read">): Promise<number> {
  const [row] = await connection.read(KEPT_FOR);
  return row?.[0] ?? HISTORY;
}

const IN_FORCE = statement<[revision: number | null]>(
  () => "SELECT max(revision) FROM revision WHERE organization = $1 AND imported_at <= $2",
);
/**
 * Raises the earliest readable revision. Does nothing while rows that became unreadable earlier wait for their
 * deletion, because each raise would postpone the deletion.
 */
const RAISE = statement<never>(
  () => `
    UPDATE organization SET earliest = $2, pruned_at = $3 WHERE id = $1 AND earliest < $2 AND pruned_at IS NULL`,
);
const RAISE_AT_ONCE = statement<never>(
  () => "UPDATE organization SET earliest = $2, pruned_at = $3 WHERE id = $1 AND earliest < $2",
);

/**
 * Makes the revisions of an organization that were replaced before `horizon` unreadable, and returns whether there were
 * any. A later sweep deletes their rows, which running reads may still need.
 */
async function raise(
  connection: Connection,
  how: typeof RAISE,
  organization: string,
  horizon: number,
): Promise<boolean> {
  if (horizon < 0) return false;
  const [row] = await connection.read(IN_FORCE, organization, new Date(horizon).toISOString());
  if (row === undefined || row[0] === null) return false;
  return (await connection.write(how, organization, row[0], new Date().toISOString())) > 0;
}

/** In one organization, makes the revisions outside the history unreadable. Returns whether there were any. */
export async function raiseEarliest(
  connection: Connection,
  organization: string,
  now: number,
): Promise<boolean> {
  return raise(connection, RAISE, organization, now - (await historyOf(connection)));
}

/**
 * The organizations whose second readable revision existed at a given time, so that the first one is outside the
 * history.
 */
const BEYOND = statement<[organization: string]>(
  () => `
    SELECT o.id FROM organization o WHERE (
      SELECT r.imported_at FROM revision r WHERE r.organization = o.id AND r.revision > o.earliest
        ORDER BY r.revision LIMIT 1) <= $1 ORDER BY o.id`,
);

/** In all organizations, makes the revisions outside the history unreadable. Called at the beginning of an import. */
export async function raiseAll(engine: Engine, staging: Staging): Promise<void> {
  const horizon = Date.now() - (await historyOf(staging));
  if (horizon < 0) return;
  const beyond = await staging.read(BEYOND, new Date(horizon).toISOString());
  if (beyond.length === 0) return;
  await staging.transaction(async (connection) => {
    let raised = false;
    for (const [organization] of beyond) {
      raised = (await raise(connection, RAISE, organization, horizon)) || raised;
    }
    if (raised) await engine.announce(connection, "anything");
  });
}

/** The revisions of an organization that a shorter history would delete. */
export interface Expiring {
  readonly organization: string;
  readonly revisions: number;
  /** The times of the first and the last of these revisions (ISO 8601, UTC). */
  readonly from: string;
  readonly to: string;
}

const EXPIRING = statement<[organization: string, revisions: number, from: string, to: string]>(
  () => `
    SELECT o.id, count(*), min(r.imported_at), max(r.imported_at)
      FROM organization o JOIN revision r ON r.organization = o.id AND r.revision >= o.earliest
      WHERE r.revision < (
        SELECT max(f.revision) FROM revision f WHERE f.organization = o.id AND f.imported_at <= $1)
      GROUP BY o.id ORDER BY o.id`,
);

/** The readable revisions that a history of this length (in milliseconds) would delete. */
export async function expiring(
  connection: Pick<Connection, "read">,
  milliseconds: number,
): Promise<Expiring[]> {
  const horizon = Date.now() - milliseconds;
  if (horizon < 0) return [];
  const rows = await connection.read(EXPIRING, new Date(horizon).toISOString());
  return rows.map(([organization, revisions, from, to]) => ({
    organization,
    revisions: Number(revisions),
    from,
    to,
  }));
}

/**
 * Sets the history (in milliseconds), and makes the revisions outside it unreadable at once. Call it with the import
 * lock.
 */
export async function changeHistory(engine: Engine, staging: Staging, milliseconds: number): Promise<void> {
  await staging.transaction(async (connection) => {
    await connection.write(KEEP, milliseconds);
    const horizon = Date.now() - milliseconds;
    const gone = await expiring(connection, milliseconds);
    for (const { organization } of gone) await raise(connection, RAISE_AT_ONCE, organization, horizon);
    if (gone.length > 0) await engine.announce(connection, "anything");
  });
}

/** The readable revisions of an organization, and their approximate size. */
interface Kept {
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
 * The approximate size of a changed record as a multiple of a record: its log entry, and the ended row, which has other
 * records, too. A permission or a membership takes two to five, a user or a space some ten.
 */
const CHANGED = 4;

/**
 * The readable revisions of each organization. The size is an estimate from the numbers of records and changes, because
 * the exact size would need a scan of all rows. `lost` has the organizations whose node does not answer.
 */
export async function keptOf(engine: Engine, lost: ReadonlySet<string>): Promise<Kept[]> {
  const kept = await engine.read(KEPT);
  const current = new Map(kept.map(([organization, , , , generation]) => [organization, generation]));
  const past = new Map<string, number>();
  const unknown = new Set(lost);
  let whole = 0;
  for (const [generation, organization, counts] of await engine.read(GENERATIONS)) {
    if (unknown.has(organization)) continue;
    if (!(await engine.answers(generation))) {
      unknown.add(organization);
      continue;
    }
    const [logged] = await engine.read(LOGGED, generation);
    const changes = CHANGED * Number(logged?.[0] ?? 0);
    const records = rowsFor(parseCounts(counts));
    const before = changes + (current.get(organization) === generation ? 0 : records);
    past.set(organization, (past.get(organization) ?? 0) + before);
    whole += changes + records;
  }
  const { bytes } = await engine.size();
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

function rowsFor({ members, teams, teamMembers, collections, spaces, ...others }: Counts): number {
  const { sites, siteSpaces, permissions } = others;
  return members + teams + teamMembers + collections + spaces + sites + siteSpaces + permissions;
}
