import type { Dialect } from "../../engine/engine.ts";

/** The table with the hashes of the last whole file's lines: see src/store/writing/lines. */
export const LINE_HASH = ({ bytes, clustered }: Dialect) => `
    CREATE TABLE line_hash (
      generation bigint NOT NULL,
      number bigint NOT NULL,
      revision bigint NOT NULL,      -- of which the lines are
      hashes ${bytes} NOT NULL,      -- of some lines, and of what names their records
      PRIMARY KEY (generation, number)
    ) ${clustered};`;
