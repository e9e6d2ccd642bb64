import type { Connection, Dialect } from "./engine.ts";
import { statement } from "./engine.ts";

/**
 * The schema, as the numbered steps that lead to it. A step that was released is never changed.
 *
 * Every table but the small ones (`organization`, `snapshot`, `token`, `counter`, `migration`) is led by the
 * snapshot number, in its primary key and its queries: a snapshot is written once, at the end of each table, and
 * taken away as one stretch; a distributed PostgreSQL can spread the tables on that column.
 */
const STEPS: readonly ((dialect: Dialect) => string)[] = [
  ({ text, clustered }) => `
    CREATE TABLE organization (
      id ${text} PRIMARY KEY,
      snapshot bigint NOT NULL,      -- what readers see
      previous bigint                -- kept for walks in progress
    );
    CREATE TABLE snapshot (
      snapshot bigint PRIMARY KEY,
      organization ${text} NOT NULL,
      title ${text} NOT NULL,
      counts ${text} NOT NULL,       -- JSON: records of each kind
      imported_at ${text},           -- null while it is being written
      replaced_at ${text},           -- null while it is the current one
      released_at ${text}            -- null while some reader may begin to read it
    );
    CREATE TABLE token (
      id ${text} PRIMARY KEY,
      hash ${text} NOT NULL UNIQUE,  -- SHA-256 of the token, hexadecimal
      organization ${text} NOT NULL,
      member ${text},                -- null: an organization token
      name ${text} NOT NULL,
      created_at ${text} NOT NULL,
      expires_at ${text},
      lifetime bigint,               -- milliseconds from creation to expiry, when it was made
      replaced_by ${text},           -- id of the token that takes its place
      last_used_at ${text}           -- the beginning of that hour
    );
    CREATE TABLE counter (name ${text} PRIMARY KEY, value bigint NOT NULL);
    INSERT INTO counter VALUES
      ('snapshot', 0),               -- the last snapshot number that was given
      ('change', 0);                 -- another number after each change of an organization or a token

    CREATE TABLE member (
      snapshot bigint NOT NULL,
      id ${text} NOT NULL,
      role smallint NOT NULL,        -- rank of the organization role, 0 for a guest
      teams ${text} NOT NULL,        -- ids, separated by spaces
      held ${text} NOT NULL,         -- direct permissions: "space/docs 4,collection/it 1"; "*" where they are many
      doc ${text} NOT NULL,          -- the user as sent, without what is filled in
      omitted smallint NOT NULL,     -- which fields are filled in, a bit each
      PRIMARY KEY (snapshot, id)
    ) ${clustered};
    CREATE TABLE team (
      snapshot bigint NOT NULL,
      id ${text} NOT NULL,
      title ${text} NOT NULL,
      folded ${text} NOT NULL,       -- the title, folded for search
      doc ${text} NOT NULL,
      members integer NOT NULL,
      spaces integer NOT NULL,
      PRIMARY KEY (snapshot, id)
    ) ${clustered};
    CREATE TABLE member_team (
      snapshot bigint NOT NULL,
      member ${text} NOT NULL,
      team ${text} NOT NULL,
      role ${text} NOT NULL,
      PRIMARY KEY (snapshot, member, team)
    ) ${clustered};
    CREATE TABLE content (
      snapshot bigint NOT NULL,
      id ${text} NOT NULL,           -- a content key: space/ID or collection/ID
      parent ${text},
      title ${text} NOT NULL,
      default_level smallint NOT NULL, -- rank of a role, 0 closed, -1 inherit
      direct ${text} NOT NULL,       -- how many direct permissions of each rank: "0 3 0 0 1 0"
      teams ${text} NOT NULL,        -- team permissions: "docs 4 12,support 1 30" (team, rank, members)
      look ${text} NOT NULL,         -- of a space, for the explorer: visibility and emoji, "private 🧭"
      PRIMARY KEY (snapshot, id)
    ) ${clustered};
    -- Spaces once more, with their documents, in the order in which endpoint 7 lists them.
    CREATE TABLE space (
      snapshot bigint NOT NULL,
      position ${text} NOT NULL,     -- creation and id as one text that sorts by both
      parent ${text},
      title ${text} NOT NULL,
      default_level smallint NOT NULL,
      direct ${text} NOT NULL,
      teams ${text} NOT NULL,
      doc ${text} NOT NULL,          -- the space as sent, without what is filled in
      omitted smallint NOT NULL,     -- which fields are filled in, a bit each
      PRIMARY KEY (snapshot, position)
    ) ${clustered};
    CREATE TABLE collection (
      snapshot bigint NOT NULL,
      id ${text} NOT NULL,
      doc ${text} NOT NULL,          -- the record, for the export
      PRIMARY KEY (snapshot, id)
    ) ${clustered};
    CREATE TABLE team_permission (
      snapshot bigint NOT NULL,
      content ${text} NOT NULL,
      team ${text} NOT NULL,
      role smallint NOT NULL,
      PRIMARY KEY (snapshot, content, team)
    ) ${clustered};
    CREATE TABLE site (
      snapshot bigint NOT NULL,
      id ${text} NOT NULL,
      title ${text} NOT NULL,
      PRIMARY KEY (snapshot, id)
    ) ${clustered};
    CREATE TABLE site_space (
      snapshot bigint NOT NULL,
      site ${text} NOT NULL,
      space ${text} NOT NULL,
      PRIMARY KEY (snapshot, site, space)
    ) ${clustered};

    -- Sorted lists of members, one a source: team/ID, role/ROLE, direct/CONTENT, given/ROLE/CONTENT.
    CREATE TABLE posting (
      snapshot bigint NOT NULL,
      source ${text} NOT NULL,
      member ${text} NOT NULL,
      role smallint NOT NULL,        -- of a direct permission; 0 elsewhere
      PRIMARY KEY (snapshot, source, member)
    ) ${clustered};
    -- Sorted lists of spaces, one a source: open, user/ID, team/ID, under/COLLECTION.
    CREATE TABLE space_posting (
      snapshot bigint NOT NULL,
      source ${text} NOT NULL,
      position ${text} NOT NULL,     -- as in table space
      PRIMARY KEY (snapshot, source, position)
    ) ${clustered};
    -- The collections that user/ID or team/ID holds a permission on.
    CREATE TABLE collection_posting (
      snapshot bigint NOT NULL,
      source ${text} NOT NULL,
      collection ${text} NOT NULL,
      PRIMARY KEY (snapshot, source, collection)
    ) ${clustered};

    -- Sorted lists of the explorer: in/COLLECTION (in/ is the top), loose, sites, team/ID.
    CREATE TABLE catalog (
      snapshot bigint NOT NULL,
      list ${text} NOT NULL,
      position ${text} NOT NULL,     -- by title and id; of team/ID by role, strongest first, and content
      thing ${text} NOT NULL,        -- a content key, or site/ID
      own smallint NOT NULL,         -- 1: something is set on that very content, 0: nothing
      PRIMARY KEY (snapshot, list, position)
    ) ${clustered};
    -- What things are found by: group, mark and folded text (see words.ts).
    CREATE TABLE search (
      snapshot bigint NOT NULL,
      entry ${text} NOT NULL,
      thing ${text} NOT NULL,        -- a content key, site/ID, member/ID or team/ID
      PRIMARY KEY (snapshot, entry, thing)
    ) ${clustered};
  `,
  // When an import last said what the organization is, whether that changed anything or not.
  ({ text }) => `ALTER TABLE organization ADD COLUMN confirmed_at ${text}`,
];

/** The schema that this program works with. */
export const SCHEMA = STEPS.length;

/** The tables that hold snapshots; each is led by the snapshot number. */
export const SNAPSHOT_TABLES = [
  "posting",
  "space_posting",
  "collection_posting",
  "catalog",
  "search",
  "team_permission",
  "member_team",
  "site_space",
  "site",
  "team",
  "content",
  "space",
  "collection",
  "member",
] as const;

const CREATE = "CREATE TABLE IF NOT EXISTS migration (number integer PRIMARY KEY, applied_at text NOT NULL)";
const EXISTS = statement<[tables: number]>(
  ({ exists }) => `SELECT CASE WHEN ${exists("migration")} THEN 1 ELSE 0 END`,
);
const LATEST = statement<[number | null]>(() => "SELECT max(number) FROM migration");
const RECORD = statement<never>(() => "INSERT INTO migration (number, applied_at) VALUES ($1, $2)");

/** The number of the last step that was applied; 0 for a database without any. */
export async function schemaOf(connection: Connection): Promise<number> {
  const [table] = await connection.read(EXISTS);
  if (table?.[0] !== 1) return 0;
  const [row] = await connection.read(LATEST);
  return row?.[0] ?? 0;
}

/** Applies the steps that a database lacks. To be called inside one transaction. */
export async function migrate(connection: Connection, from: number): Promise<void> {
  await connection.script(CREATE);
  for (const [index, step] of STEPS.entries()) {
    if (index < from) continue;
    await connection.script(step(connection.dialect));
    await connection.write(RECORD, index + 1, new Date().toISOString());
  }
}
