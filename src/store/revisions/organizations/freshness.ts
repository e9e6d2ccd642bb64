import { type Engine, type Reader, statement } from "../../engine/engine.ts";

/** Two times (ISO 8601, UTC): of the organization with the oldest data, and of the one with the newest. */
export interface Span {
  readonly oldest: string;
  readonly newest: string;
}

/** The number of organizations, and the age of their data. */
export interface Freshness {
  readonly organizations: number;
  /** The times of the current revisions; `undefined` if there is no organization. */
  readonly imported: Span | undefined;
  /** The times of the last imports and changes, including those that changed nothing. */
  readonly confirmed: Span | undefined;
}

type Time = string | null;

const CONFIRMED = "coalesce(o.confirmed_at, s.imported_at)";
const FRESHNESS = statement<[organizations: number, Time, Time, Time, Time]>(
  () => `
    SELECT count(*), min(s.imported_at), max(s.imported_at), min(${CONFIRMED}), max(${CONFIRMED})
      FROM organization o JOIN revision s ON s.revision = o.revision`,
);

/** The age of the data of all organizations. Cheap: reads only small tables. */
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
 * The time of an organization's last import or change (ISO 8601, UTC), even if it changed nothing; `undefined` if the
 * organization does not exist.
 */
export async function confirmedAt(reader: Reader, organization: string): Promise<string | undefined> {
  const [row] = await reader.read(CONFIRMATION, organization);
  return row?.[0];
}
