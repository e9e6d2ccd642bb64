/**
 * A page of a member's spaces with all that they inherit from, asked at once. For databases where each read is a wait.
 */
import type { ContentKey } from "../domain/content.ts";
import { decodeContent, INHERIT } from "./codes.ts";
import type { Content } from "./content.ts";
import { type Dialect, type Parameter, type Statement, statement } from "./engine.ts";
import { BEHIND, headsOf, type Order, SPACE_LISTS } from "./heads.ts";
import { climbing, type ContentRow, keep, loadAbove } from "./levels.ts";
import type { Reading, Snapshot } from "./reading.ts";
import { type Space, SPACE_COLUMNS, spaceOf, type SpaceRow } from "./spaces.ts";

/** Some spaces in order, and what is known of them. */
export interface Stretch {
  readonly spaces: readonly Space[];
  /** All that the spaces inherit from. */
  readonly above: ReadonlyMap<ContentKey, Content>;
}

/** The two statements of a stretch. */
interface Asked {
  readonly spaces: Statement<SpaceRow>;
  readonly above: Statement<ContentRow>;
}

/** `spaces`: a FROM item with rows of table `space`. */
function asked(spaces: (dialect: Dialect) => string, order: Order): Asked {
  const inherited = (dialect: Dialect) =>
    `(SELECT DISTINCT s.parent AS value FROM ${spaces(dialect)} s
        WHERE s.default_level = ${INHERIT} AND s.parent IS NOT NULL)`;
  return {
    spaces: statement(
      (dialect) => `
        SELECT ${SPACE_COLUMNS}
          FROM ${spaces(dialect)} s ORDER BY s.position ${order}`,
    ),
    above: statement((dialect) => climbing(inherited(dialect))),
  };
}

/** Parameters: snapshot, where to start behind, how many. */
const NEXT: Readonly<Record<Order, Asked>> = { asc: next("asc"), desc: next("desc") };

function next(order: Order): Asked {
  return asked(
    () => `(
      SELECT * FROM space WHERE snapshot = $1 AND position ${BEHIND[order]} $2
        ORDER BY position ${order} LIMIT $3)`,
    order,
  );
}

/** Parameters: snapshot, names of lists, where to start behind, how many of each list, how many. */
const HEADS: Readonly<Record<Order, Asked>> = { asc: heads("asc"), desc: heads("desc") };

function heads(order: Order): Asked {
  return asked(
    (dialect) => `(
      SELECT s.* FROM (
          SELECT DISTINCT head.value AS position FROM ${headsOf(dialect, SPACE_LISTS, order)}
            ORDER BY position ${order} LIMIT $5) page
        CROSS JOIN space s WHERE s.snapshot = $1 AND s.position = page.position)`,
    order,
  );
}

/** The first `size` spaces behind a position. */
export function nextStretch(reading: Reading, order: Order, after: string, size: number): Promise<Stretch> {
  return stretch(reading, NEXT[order], after, size);
}

/** The first `size` spaces behind a position of those that are among the first `share` of some lists. */
export function headStretch(
  reading: Reading,
  order: Order,
  lists: readonly string[],
  after: string,
  share: number,
  size: number,
): Promise<Stretch> {
  return stretch(reading, HEADS[order], lists, after, share, size);
}

/** Snapshots of which the last stretch asked for nothing above its spaces that was not in the cache. */
const warm = new WeakSet<Snapshot>();

/** What lies above is shared by many spaces: once it is in the cache, a miss is worth another wait. */
async function stretch(reading: Reading, wanted: Asked, ...parameters: Parameter[]): Promise<Stretch> {
  const asking = warm.has(reading.at) ? [] : reading.read(wanted.above, reading.snapshot, ...parameters);
  const [spaceRows, contentRows] = await Promise.all([
    reading.read(wanted.spaces, reading.snapshot, ...parameters),
    asking,
  ]);
  const spaces = spaceRows.map(spaceOf);
  const contents = spaces.map(({ content }) => content);
  const above = new Map<ContentKey, Content>();
  if (isCached(reading, contentRows)) {
    const before = reading.rows;
    await loadAbove(reading, contents, above);
    if (reading.rows === before) warm.add(reading.at);
    else warm.delete(reading.at);
  } else keep(reading, contentRows, above);
  return { spaces, above };
}

function isCached(reading: Reading, rows: readonly ContentRow[]): boolean {
  return rows.every(([id]) => reading.cache.content(reading.at, decodeContent(id)) !== undefined);
}
