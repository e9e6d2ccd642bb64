/** A team as a listing sends it: its document and the two counts. */
export interface Team {
  readonly id: string;
  /** The JSON text of the team's own fields. */
  readonly text: string;
  readonly members: number;
  readonly spaces: number;
}

export type TeamRow = [id: string, text: string, members: number, spaces: number];

/** The columns of a {@link TeamRow}, of table `team` under the name `t`. */
export const TEAM_COLUMNS = "t.id, t.doc, t.members, t.spaces";

export function teamOf([id, text, members, spaces]: TeamRow): Team {
  return { id, text, members, spaces };
}
