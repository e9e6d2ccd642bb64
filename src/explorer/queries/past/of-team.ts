import type { Changed, Difference } from "./changed.ts";

/** What changed for a team: its permissions, its members, itself; `undefined` where nothing did. */
export function differenceOfTeam({ records }: Changed, team: string): Difference | undefined {
  const own = records.filter((record) => record.team === team);
  return own.length === 0 ? undefined : { records: own };
}
