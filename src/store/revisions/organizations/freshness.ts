import { type Engine, type Reader, statement } from "../../engine/engine.ts";

/** Times (ISO 8601, UTC) of the organizations with the oldest and the newest data. */
export interface Span {
  readonly oldest: string;
  readonly newest: string;
}

/** The number of organizations, and the age of their data. */
export interface Freshness {
  readonly organizations: number;
  /** The times of their current revisions; absent if there is no organization. */
  readonly imported: Span | undefined;
  /** The times of the last imports, including those that changed nothing. */
  readonly confirmed: Span | undefined;
}

type Time = string | null;

const CONFIRMED = "coalesce(o.confirmed_at, s.imported_at)";
const FRESHNESS = statement<[organizations: number, Time, Time, Time, Time]>(
  () => `
    SELECT count(*), min(s.imported_at), max(s.imported_at), min(${CONFIRMED}), max(${CONFIRMED})
      FROM organization o JOIN revision s ON s.revision = o.revision`,
);

/** The age of the data of all organizations. Reads one row of small tables. */
export async function freshness(engine: Engine): Promise<Freshness> {
  const [row] = await engine.read(FRESHNESS);
  const [organizations, oldest, newest, oldestConfirmed, newestConfirmed] = row ?? [
    0,
    null,
    null,
    null,
    null,
  ];
  return {
    organizations: Number(organizations),
    imported: spanOf(oldest, newest),
    confirmed: spanOf(oldestConfirmed, newestConfirmed),
  };
}

function spanOf(oldest: Time, newest: Time): Span | undefined {
  return oldest === null || newest === null ? undefined : { oldest, newest };
}

const CONFIRMATION = statement<[at: string]>(
  () => `
    SELECT ${CONFIRMED} FROM organization o JOIN revision s ON s.revision = o.revision WHERE o.id = $1`,
);

/**
 * The time of the last import of an organization (ISO 8601, UTC), whether or not it changed anything; `undefined` if
 * the organization does not exist.
 */
export async function confirmedAt(reader: Reader, organization: string): Promise<string | undefined> {
  const [row] = await reader.read(CONFIRMATION, organization);
  return row?.[0];
}
