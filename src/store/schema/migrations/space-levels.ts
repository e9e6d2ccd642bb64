import type { Dialect } from "../../engine/engine.ts";
import { MANY, MOST_LISTED } from "../encoding.ts";

/**
 * SQL: whether revision `at` is between `since` and `until` of a row `s`. The migration replaces the rows, and negates
 * their `until` meanwhile.
 */
const LASTS = (at: string) => `${at} > s.since AND ${at} < -s.until`;

/**
 * Adds the parent, default level and team grants of a space to its row, so that a member's spaces are read without a
 * join. Divides a row at each revision that changed one of them.
 */
export const SPACE_LEVELS = ({ text }: Dialect) => `
    ALTER TABLE space ADD COLUMN parent ${text};
    ALTER TABLE space ADD COLUMN level smallint NOT NULL DEFAULT 0;  -- as in table content
    ALTER TABLE space ADD COLUMN teams ${text} NOT NULL DEFAULT '';  -- "team-a 4,team-b 1"; "*" where they are many
    UPDATE space SET until = -until;
    INSERT INTO space (generation, position, until, since, key, doc, omitted, parent, level, teams)
      WITH part AS (
        SELECT s.generation, s.position, s.until, 'space/' || substr(s.key, 17) AS id, s.since FROM space s
        UNION SELECT s.generation, s.position, s.until, c.id, c.since FROM space s CROSS JOIN content c
          WHERE c.generation = s.generation AND c.id = 'space/' || substr(s.key, 17) AND ${LASTS("c.since")}
        UNION SELECT s.generation, s.position, s.until, g.content, g.since FROM space s CROSS JOIN team_grant g
          WHERE g.generation = s.generation AND g.content = 'space/' || substr(s.key, 17) AND ${LASTS("g.since")}
        UNION SELECT s.generation, s.position, s.until, g.content, g.until FROM space s CROSS JOIN team_grant g
          WHERE g.generation = s.generation AND g.content = 'space/' || substr(s.key, 17) AND ${LASTS("g.until")})
      SELECT p.generation, p.position,
          lead(p.since, 1, -p.until) OVER (PARTITION BY p.generation, p.position, p.until ORDER BY p.since),
          p.since, s.key, s.doc, s.omitted, c.parent, c.level, coalesce((
            SELECT CASE WHEN count(*) > ${MOST_LISTED} THEN '${MANY}'
                ELSE string_agg(g.team || ' ' || CAST(g.role AS text), ',' ORDER BY g.team) END
              FROM team_grant g
              WHERE g.generation = p.generation AND g.content = p.id AND g.since <= p.since AND g.until > p.since), '')
        FROM part p CROSS JOIN space s CROSS JOIN content c
        WHERE s.generation = p.generation AND s.position = p.position AND s.until = p.until
          AND c.generation = p.generation AND c.id = p.id AND c.since <= p.since AND c.until > p.since;
    DELETE FROM space WHERE until < 0;`;
