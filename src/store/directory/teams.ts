import { statement } from "../engine/engine.ts";
import type { Reading } from "../reading.ts";
import { holds } from "../schema/as-of.ts";

export interface Team {
  readonly id: string;
  /** The JSON text of the team's document. */
  readonly text: string;
  readonly members: number;
  readonly spaces: number;
}

export type TeamColumns = [id: string, text: string, members: number, spaces: number];

/** SQL: the columns of a {@link TeamColumns}. `t` is the table `team`. */
export const TEAM_COLUMNS = "t.id, t.doc, t.members, t.spaces";

export function teamOf([id, text, members, spaces]: TeamColumns): Team {
  return { id, text, members, spaces };
}

const TEAMS = statement<TeamColumns>(
  ({ texts }) => `
    SELECT ${TEAM_COLUMNS} FROM ${texts("$3", "wanted")} CROSS JOIN team t
      WHERE ${holds("t")} AND t.id = wanted.value`,
);

/** The given teams, by id. Teams that do not exist are absent. */
export async function teamsById(reading: Reading, ids: readonly string[]): Promise<Map<string, Team>> {
  const rows = ids.length === 0 ? [] : await reading.read(TEAMS, ...reading.asOf, ids);
  return new Map(rows.map((row) => [row[0], teamOf(row)]));
}
