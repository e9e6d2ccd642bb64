/** Limits of the program, by the name that each gives itself. */
type Limits = Readonly<Record<string, number>>;

/**
 * Tests on PostgreSQL in one process need not wait until other processes have seen each change. Of random change files,
 * some are written in place.
 */
export const QUICK: Limits = { "postgres.lease": 10, "change.largest": 2 };

/** Limits so small that random organizations of a few members reach all of them. */
export const SMALL: Limits = {
  ...QUICK,
  "change.block": 3,
  "rows.longest": 4,
  "rows.block": 2,
  "past.remembered": 2,
  "log.block": 2,
  "copy.pages-a-step": 1,
  "staging.rows-a-statement": 3,
  "staging.rows-a-batch": 7,
  "staging.scattered": 3,
};
