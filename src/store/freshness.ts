import { type Engine, statement } from "./engine.ts";

/** How many organizations there are, and the times (ISO 8601, UTC) of the oldest and newest current snapshot. */
export interface Freshness {
  readonly organizations: number;
  /** Absent where there is no organization. */
  readonly oldest: string | undefined;
  readonly newest: string | undefined;
}

const FRESHNESS = statement<[organizations: number, oldest: string | null, newest: string | null]>(
  () => `
    SELECT count(*), min(s.imported_at), max(s.imported_at)
      FROM organization o JOIN snapshot s ON s.snapshot = o.snapshot`,
);

/** How old what is served is, over all organizations. One row of small tables. */
export async function freshness(engine: Engine): Promise<Freshness> {
  const [row] = await engine.read(FRESHNESS);
  const [organizations, oldest, newest] = row ?? [0, null, null];
  return { organizations: Number(organizations), oldest: oldest ?? undefined, newest: newest ?? undefined };
}
