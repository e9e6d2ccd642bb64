/**
 * Constants of the program, by file. Their values here are so small that random organizations of a few members reach
 * all of them.
 */
export const LIMITS: Readonly<Record<string, Readonly<Record<string, number>>>> = {
  "sets/position": { SLOTS: 4, FILL: 2 },
  "sets/head": { SMALL: 4, SMALL_AGAIN: 2 },
  "store/schema/encoding": { MOST_LISTED: 3 },
  "store/schema/set-names": { MOST_GRANTS: 3 },
  "store/listings/walk": { SPARE: 0 },
  "store/listings/counts": { TOGETHER: 2 },
  "store/memory/documents": { TOGETHER: 2, GAP: 100, FEW: 2, OFTEN: 3 },
  "store/memory/changes": { MOST_RECORDS: 5 },
  "store/cache/cache": { VERSIONS: 1, CHANGES: 2, GENERATIONS: 2 },
  "store/listings/without/people": { AT_HAND: 2 },
  "store/sets/containers": { FEW: 2 },
  "store/sets/team-containers": { MANY_TEAMS: 2 },
  "store/directory/rows/position-rows": { STRETCH: 3 },
  "store/revisions/diff/diff": { PEOPLE: 2, CONTENTS: 2 },
  "store/revisions/diff/users/singly": { FEW_USERS: 2, MANY_USERS: 4 },
  "store/revisions/diff/pairs": { USERS: 2 },
  "store/revisions/past/past": { REMEMBERED: 2 },
  "store/tree/descend": { TOGETHER: 2 },
  "store/engine/sqlite/staging": { ROWS_A_STATEMENT: 3, ROWS_A_BATCH: 7, SCATTERED: 3 },
};
