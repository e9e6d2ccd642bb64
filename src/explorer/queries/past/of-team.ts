import type { Changed, Difference } from "./changed.ts";

/** The changed records of a team, its permissions and its members; `undefined` if there are none. */
export function differenceOfTeam({ records }: Changed, team: string): Difference | undefined {
  const own = records.filter((record) => record.team === team);
  return own.length === 0 ? undefined : { records: own };
}
