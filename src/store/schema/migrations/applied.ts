import type { Dialect } from "../../engine/engine.ts";

/** The table by which a node shows how far it has the changes of a generation: see src/store/revisions/applied.ts. */
export const APPLIED = ({ clustered }: Dialect) => `
    CREATE TABLE applied (
      generation bigint PRIMARY KEY,
      revision bigint NOT NULL       -- the latest one of which the rows are there
    ) ${clustered};
    INSERT INTO applied SELECT generation, max(revision) FROM revision GROUP BY generation;`;
