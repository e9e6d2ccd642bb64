/** The tables, as the first step of the schema. A released step never changes; of its comments, only those outside the SQL do. */
import type { Dialect } from "../engine/engine.ts";
import { HISTORY } from "../revisions/history.ts";
import { FOREVER } from "./as-of.ts";

/** Tables whose rows hold from one revision up to another. If a later step adds such a table, append it here. */
export const ENDING_TABLES = ["member_row", "content_row", "team_row", "site_row"] as const;

/** All tables whose key begins with the generation. */
export const GENERATION_TABLES = [...ENDING_TABLES, "record_change", "revision_row"] as const;

/**
 * The primary key of every table begins with the generation, except for the small tables `organization`, `generation`,
 * `revision`, `token`, `sign_in`, `rule_result`, `counter` and `migration`. So an import writes a generation at the end
 * of each table, and deletes a generation as one range. A distributed PostgreSQL can distribute the tables by that
 * column.
 */
export const TABLES = (dialect: Dialect) => small(dialect) + records(dialect);

const small = ({ text }: Dialect) => `
    CREATE TABLE organization (
      id ${text} PRIMARY KEY,
      revision bigint NOT NULL,      -- the current one
      earliest bigint NOT NULL,      -- the earliest that can be read
      pruned_at ${text},             -- when the earliest was last raised
      erasures bigint NOT NULL,      -- how often somebody was erased from its past
      file_at ${text},               -- when a whole file last went through, one that changed nothing too
      change_at ${text},             -- the same of a change file
      confirmed_at ${text}           -- the later of the two
    );
    CREATE TABLE generation (        -- the generations of which there may be rows
      generation bigint PRIMARY KEY,
      organization ${text} NOT NULL,
      writing bigint                 -- the revision that is being written in place; null: none
    );
    CREATE TABLE revision (          -- published ones; a revision is the state of an organization after a change
      revision bigint PRIMARY KEY,
      organization ${text} NOT NULL,
      generation bigint NOT NULL,    -- its rows are there
      title ${text} NOT NULL,
      counts ${text} NOT NULL,       -- JSON: records of each kind
      imported_at ${text} NOT NULL,
      command ${text} NOT NULL,      -- which made it
      note ${text},
      input ${text},                 -- SHA-256 of what was read, hexadecimal
      change ${text}                 -- the id of the change file
    );
    CREATE INDEX revision_of_organization ON revision (organization, revision);
    CREATE INDEX revision_of_change ON revision (organization, change) WHERE change IS NOT NULL;
    CREATE INDEX revision_by_time ON revision (organization, imported_at);
    CREATE INDEX revision_of_generation ON revision (generation);
    CREATE TABLE token (             -- tokens, and the sessions of people who signed in
      id ${text} PRIMARY KEY,
      hash ${text} NOT NULL UNIQUE,  -- SHA-256 of the token, hexadecimal
      organization ${text} NOT NULL,
      member ${text},                -- null: an organization token
      name ${text} NOT NULL,
      created_at ${text} NOT NULL,
      expires_at ${text},
      lifetime bigint,               -- milliseconds from creation to expiry, when it was made
      replaced_by ${text},           -- id of the token that takes its place
      last_used_at ${text},          -- the beginning of that hour
      issuer ${text}                 -- of a session: the provider that signed the member in; null: a token
    );
    CREATE INDEX token_of_member ON token (organization, member);
    CREATE TABLE sign_in (           -- the members to whom accounts at a provider are bound
      organization ${text} NOT NULL,
      issuer ${text} NOT NULL,
      subject ${text} NOT NULL,      -- the account: \`sub\` of the issuer
      member ${text} NOT NULL,
      bound_at ${text} NOT NULL,
      PRIMARY KEY (organization, issuer, subject)
    );
    CREATE UNIQUE INDEX sign_in_of_member ON sign_in (organization, issuer, member);
    CREATE TABLE rule_result (       -- how the rules of an organization stood when they were last checked
      organization ${text} NOT NULL,
      place integer NOT NULL,        -- in the order of their file
      rule ${text} NOT NULL,         -- in its own words
      breaches bigint,               -- null where it could not be asked
      revision bigint NOT NULL,
      checked_at ${text} NOT NULL,
      definition ${text},            -- as in its file, in JSON; null for a misspelt name
      PRIMARY KEY (organization, place)
    );
    CREATE TABLE counter (name ${text} PRIMARY KEY, value bigint NOT NULL);
    INSERT INTO counter VALUES
      ('revision', 0),               -- the last revision number that was given
      ('generation', 0),             -- the last generation number that was given
      ('history', ${HISTORY}),       -- how long revisions are kept after they were replaced, in milliseconds
      ('change', 0);                 -- another number after each change of an organization or a token`;

/**
 * The records of an organization: one row for each member, content, team and site. Nothing in them follows from other
 * rows. All four tables have the same key: generation, id, part and since. A row holds from revision `since` up to, not
 * including, revision `until`, which is {@link FOREVER} in those that hold now; it ends in place, because `until` is not
 * in the key. Teams, contents and sites have a small number as long as they exist, by which rows refer to them. A row has
 * its lists as texts (rows/lists.ts); what a list has beyond 500 entries goes on in further rows of the same id, its parts.
 */
const records = ({ text, clustered }: Dialect) => {
  const ending = (name: (typeof ENDING_TABLES)[number], columns: string) => `
    CREATE TABLE ${name} (
      generation bigint NOT NULL,
      id ${text} NOT NULL,
      part bigint NOT NULL,          -- 0, or where a list goes on
      since bigint NOT NULL,
      until bigint NOT NULL,
      ${columns}
      PRIMARY KEY (generation, id, part, since)
    ) ${clustered};
    CREATE INDEX ${name}_ended ON ${name} (generation, until) WHERE until < ${FOREVER};`;
  const whole = `part = 0 AND until = ${FOREVER}`;
  return `
    ${ending(
      "member_row",
      `role smallint NOT NULL,        -- the rank of the organization role, 0 for a guest
      omitted smallint NOT NULL,     -- one bit for each field of the profile that has its default value
      teams ${text} NOT NULL,        -- numbers of teams: '12;45!;', ! for an owner
      permissions ${text} NOT NULL,  -- numbers of contents and sites with the rank of the direct permission: '7:3;'
      profile ${text} NOT NULL,      -- the user without default values`,
    )}
    ${ending(
      "content_row",
      `number bigint NOT NULL,
      parent bigint,                 -- the number of the collection around it
      level smallint NOT NULL,       -- the rank of the default level, 0 for a closed content, 7 for inherit
      created bigint NOT NULL,       -- milliseconds since 1970; 0 for a collection
      omitted smallint NOT NULL,
      teams ${text} NOT NULL,        -- numbers of teams with the rank of their permission: '3:6;'
      document ${text} NOT NULL,     -- the record without default values`,
    )}
    CREATE INDEX content_row_by_number ON content_row (generation, number) WHERE ${whole};
    CREATE INDEX content_row_inside ON content_row (generation, parent) WHERE ${whole};
    ${ending("team_row", `number bigint NOT NULL, document ${text} NOT NULL,`)}
    CREATE INDEX team_row_by_number ON team_row (generation, number) WHERE ${whole};
    ${ending(
      "site_row",
      `number bigint NOT NULL,        -- no content has it
      level smallint NOT NULL,       -- the rank of the default level, 0 for no access, 7 for inherit
      teams ${text} NOT NULL,        -- as those of a content; 0 for no access
      spaces ${text} NOT NULL,       -- numbers of contents: '7;9;'
      document ${text} NOT NULL,     -- the title, and the default level if it is not inherit`,
    )}
    CREATE INDEX site_row_by_number ON site_row (generation, number) WHERE ${whole};
    -- Records that a revision added, changed or removed: the first revision of an organization has none.
    CREATE TABLE record_change (
      generation bigint NOT NULL,
      revision bigint NOT NULL,      -- 0: the first one of the generation
      number bigint NOT NULL,
      kind smallint NOT NULL,        -- its place in RECORD_KINDS
      member ${text},
      team ${text},
      content ${text},
      site ${text},
      was ${text},                   -- what the record said beside what names it; null where there was none
      becomes ${text},
      PRIMARY KEY (generation, revision, number)
    ) ${clustered};
    CREATE INDEX record_change_of_member ON record_change (generation, member, revision) WHERE member IS NOT NULL;
    CREATE TABLE revision_row (      -- what belongs to a revision beside its rows; where this is visible, its rows are
      generation bigint NOT NULL,
      revision bigint NOT NULL,
      identity ${text} NOT NULL,     -- random: tells revisions apart that a lost database gave one number
      checksum ${text} NOT NULL,     -- of its records, in any order: see model/checksum.ts
      sizes ${text} NOT NULL,        -- JSON: what a load allocates, and the next numbers
      PRIMARY KEY (generation, revision)
    ) ${clustered};`;
};
