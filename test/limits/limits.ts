/** Limits of the program, by the name that each gives itself. */
type Limits = Readonly<Record<string, number>>;

/**
 * Tests on PostgreSQL in one process need not wait until other processes have seen each change. Of random change files,
 * some are written as an import.
 */
export const QUICK: Limits = { "postgres.lease": 10, "change.largest": 2 };

/** Limits so small that random organizations of a few members reach all of them. */
export const SMALL: Limits = {
  ...QUICK,
  "chunk.slots": 4,
  "chunk.fill": 2,
  "head.small": 4,
  "head.small-again": 2,
  "encoding.listed": 3,
  "grants.listed": 3,
  "past.remembered": 2,
  "heads.block": 3,
  "log.block": 2,
  "copy.pages-a-step": 1,
  "staging.rows-a-statement": 3,
  "staging.rows-a-batch": 7,
  "staging.scattered": 3,
};
