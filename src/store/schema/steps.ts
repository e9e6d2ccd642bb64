/**
 * The steps of the schema, in the order of their release. A released step never changes; of its comments, only those
 * outside the SQL do.
 */
import type { Dialect } from "../engine/engine.ts";
import { HISTORY } from "../revisions/history.ts";
import { RULE_RESULT } from "../rule-results.ts";
import { ROLES, type Role } from "../../domain/role.ts";
import { FOREVER } from "./as-of.ts";
import { MANY, MOST_LISTED } from "./encoding.ts";
import { headColumn } from "./set-names.ts";

/** The tables of the first step whose rows hold from one revision up to another. */
export const FIRST_ENDING = [
  "container",
  "chunk",
  "catalog",
  "team_grant",
  "user_grant",
  "team_member",
  "site_space",
  "site",
  "team",
  "content",
  "space",
  "member",
] as const;

/** The tables of the first release. */
export const FIRST = ({ text, bytes, clustered }: Dialect) => `
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
      organization ${text} NOT NULL
    );
    CREATE TABLE revision (          -- published ones; a revision is the state of an organization after a change
      revision bigint PRIMARY KEY,
      organization ${text} NOT NULL,
      generation bigint NOT NULL,    -- its rows lie there
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
    ${RULE_RESULT(text)}
    CREATE TABLE counter (name ${text} PRIMARY KEY, value bigint NOT NULL);
    INSERT INTO counter VALUES
      ('revision', 0),               -- the last revision number that was given
      ('generation', 0),             -- the last generation number that was given
      ('history', ${HISTORY}),       -- how long revisions are kept after they were replaced, in milliseconds
      ('change', 0);                 -- another number after each change of an organization or a token

    -- What follows is led by the generation. Rows that change hold from one revision up to, not including, another
    -- (\`since\`, \`until\`); \`until\` is ${FOREVER} in those that hold now.

    -- Where a key stands in the sets of its universe (0: members by user id, 1: spaces by creation and id). A position is
    -- chunk * 4096 + slot; a key has another one in each chunk that it ever was in.
    CREATE TABLE place (
      generation bigint NOT NULL,
      universe smallint NOT NULL,
      key ${text} NOT NULL,
      position bigint NOT NULL,
      PRIMARY KEY (generation, universe, key, position)
    ) ${clustered};
    CREATE TABLE chunk (
      generation bigint NOT NULL,
      universe smallint NOT NULL,
      chunk bigint NOT NULL,
      until bigint NOT NULL,
      since bigint NOT NULL,
      lowest ${text} NOT NULL,       -- holds the keys from here up to the next chunk's; '' in the first
      slots ${bytes},                -- the slots in the order of their keys; null while that is their own order
      used smallint NOT NULL,        -- how many slots were ever given: the first ones
      PRIMARY KEY (generation, universe, chunk, until)
    ) ${clustered};
    CREATE INDEX chunk_of_key ON chunk (generation, universe, lowest);
    -- Sets of positions, by chunk: chunk -1 has the head of each (see src/sets).
    CREATE TABLE container (
      generation bigint NOT NULL,
      universe smallint NOT NULL,
      chunk bigint NOT NULL,
      name ${text} NOT NULL,         -- see set-names.ts
      until bigint NOT NULL,
      since bigint NOT NULL,
      bits ${bytes} NOT NULL,
      PRIMARY KEY (generation, universe, chunk, name, until)
    ) ${clustered};

    CREATE TABLE member (
      generation bigint NOT NULL,
      position bigint NOT NULL,
      until bigint NOT NULL,
      since bigint NOT NULL,
      id ${text} NOT NULL,
      role smallint NOT NULL,        -- rank of the organization role, 0 for a guest
      teams ${text} NOT NULL,        -- ids, separated by spaces; "*" where they are many
      grants ${text} NOT NULL,       -- "space/docs 4,collection/it 1"; "*" where they are many
      doc ${text} NOT NULL,          -- the user as sent, without what is filled in
      omitted smallint NOT NULL,     -- which fields are filled in, a bit each
      PRIMARY KEY (generation, position, until)
    ) ${clustered};
    CREATE TABLE team_member (
      generation bigint NOT NULL,
      position bigint NOT NULL,      -- of the member
      team ${text} NOT NULL,
      until bigint NOT NULL,
      since bigint NOT NULL,
      role ${text} NOT NULL,         -- owner or member
      PRIMARY KEY (generation, position, team, until)
    ) ${clustered};
    CREATE TABLE user_grant (
      generation bigint NOT NULL,
      position bigint NOT NULL,      -- of the member
      content ${text} NOT NULL,
      until bigint NOT NULL,
      since bigint NOT NULL,
      role smallint NOT NULL,
      PRIMARY KEY (generation, position, content, until)
    ) ${clustered};
    CREATE TABLE team (
      generation bigint NOT NULL,
      id ${text} NOT NULL,
      until bigint NOT NULL,
      since bigint NOT NULL,
      title ${text} NOT NULL,
      folded ${text} NOT NULL,       -- the title, folded for search
      doc ${text} NOT NULL,
      members bigint NOT NULL,
      spaces bigint NOT NULL,
      PRIMARY KEY (generation, id, until)
    ) ${clustered};
    CREATE TABLE content (
      generation bigint NOT NULL,
      id ${text} NOT NULL,           -- a content key: space/ID or collection/ID
      until bigint NOT NULL,
      since bigint NOT NULL,
      parent ${text},
      title ${text} NOT NULL,
      level smallint NOT NULL,       -- the default level: rank of a role, 0 closed, -1 inherit
      depth smallint NOT NULL,       -- of a collection: how many lie above it
      position bigint,               -- of a space
      doc ${text},                   -- of a collection: its record
      look ${text} NOT NULL,         -- of a space, for the explorer: visibility and emoji, "private 🧭"
      PRIMARY KEY (generation, id, until)
    ) ${clustered};
    CREATE TABLE space (
      generation bigint NOT NULL,
      position bigint NOT NULL,
      until bigint NOT NULL,
      since bigint NOT NULL,
      key ${text} NOT NULL,          -- creation and id as one text that sorts by both
      doc ${text} NOT NULL,          -- the space as sent, without what is filled in
      omitted smallint NOT NULL,     -- which fields are filled in, a bit each
      PRIMARY KEY (generation, position, until)
    ) ${clustered};
    CREATE TABLE team_grant (
      generation bigint NOT NULL,
      content ${text} NOT NULL,
      team ${text} NOT NULL,
      until bigint NOT NULL,
      since bigint NOT NULL,
      role smallint NOT NULL,
      PRIMARY KEY (generation, content, team, until)
    ) ${clustered};
    CREATE INDEX team_grant_of_team ON team_grant (generation, team, content);
    CREATE TABLE site (
      generation bigint NOT NULL,
      id ${text} NOT NULL,
      until bigint NOT NULL,
      since bigint NOT NULL,
      title ${text} NOT NULL,
      PRIMARY KEY (generation, id, until)
    ) ${clustered};
    CREATE TABLE site_space (
      generation bigint NOT NULL,
      site ${text} NOT NULL,
      space ${text} NOT NULL,
      until bigint NOT NULL,
      since bigint NOT NULL,
      PRIMARY KEY (generation, site, space, until)
    ) ${clustered};

    -- Sorted lists of the explorer: in/COLLECTION (in/ is the top), loose, sites, team/ID.
    CREATE TABLE catalog (
      generation bigint NOT NULL,
      list ${text} NOT NULL,
      position ${text} NOT NULL,     -- by title and id; of team/ID by role, strongest first, and content
      thing ${text} NOT NULL,        -- a content key, or site/ID
      until bigint NOT NULL,
      since bigint NOT NULL,
      own smallint NOT NULL,         -- 1: something is set on that very content, 0: nothing
      PRIMARY KEY (generation, list, position, until)
    ) ${clustered};
    -- Records that a revision added, changed or removed: the first revision of an organization has none.
    CREATE TABLE record_change (
      generation bigint NOT NULL,
      revision bigint NOT NULL,      -- 0: the first one of the generation
      number bigint NOT NULL,
      kind smallint NOT NULL,        -- its place in KINDS
      member ${text},
      team ${text},
      content ${text},
      site ${text},
      was ${text},                   -- what the record said beside what names it; null where there was none
      becomes ${text},
      PRIMARY KEY (generation, revision, number)
    ) ${clustered};
    CREATE INDEX record_change_of_content ON record_change (generation, content, revision) WHERE content IS NOT NULL;
    CREATE INDEX record_change_of_member ON record_change (generation, member, revision) WHERE member IS NOT NULL;
    CREATE INDEX record_change_of_team ON record_change (generation, team, revision) WHERE team IS NOT NULL;
    -- What things are found by now: group, mark and folded text (see words.ts).
    CREATE TABLE search (
      generation bigint NOT NULL,
      entry ${text} NOT NULL,
      thing ${text} NOT NULL,        -- a content key, site/ID, member/ID or team/ID
      PRIMARY KEY (generation, entry, thing)
    ) ${clustered};

    -- What ended, for pruning: rows that hold now are in none of these.
    ${FIRST_ENDING.map(endedIndex).join("\n    ")}
  `;

/** SQL: an index of ended rows, by which pruning finds them. Every table in `ENDING_TABLES` needs one. */
function endedIndex(table: string): string {
  return `CREATE INDEX ${table}_ended ON ${table} (generation, until) WHERE until < ${FOREVER};`;
}

/** The table with the hashes of the last whole file's lines: see src/store/writing/lines. */
export const LINE_HASH = ({ bytes, clustered }: Dialect) => `
    CREATE TABLE line_hash (
      generation bigint NOT NULL,
      number bigint NOT NULL,
      revision bigint NOT NULL,      -- of which the lines are
      hashes ${bytes} NOT NULL,      -- of some lines, and of what names their records
      PRIMARY KEY (generation, number)
    ) ${clustered};`;

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

/**
 * Adds its team grants, and the heads of the users with a direct permission, to the row of a content, so that one row is
 * read instead of many. Divides a row at each revision that changed one of them. Drops from the rows of spaces what is no
 * longer read there.
 */
export const CONTENT_ROW = ({ text, bytes }: Dialect) => {
  const heads = "h.universe = 0 AND h.chunk = -1";
  const head = (role: Role, id: string) => `${heads} AND h.name = 'direct/' || ${id} || '/${role}'`;
  const parts = (table: string, alias: string, key: string) =>
    ["since", "until"].map(
      (at) => `
        UNION SELECT s.generation, s.id, s.until, ${alias}.${at} FROM content s CROSS JOIN ${table} ${alias}
          WHERE ${alias}.generation = s.generation AND ${key} AND ${LASTS(`${alias}.${at}`)}`,
    );
  const columns = "parent, title, level, depth, position, doc, look";
  return `
    ALTER TABLE content ADD COLUMN teams ${text} NOT NULL DEFAULT '';  -- '"team-a",4,"team-b",1'; "*" where they are many
    ${ROLES.map((role) => `ALTER TABLE content ADD COLUMN ${headColumn(role)} ${bytes};`).join("\n    ")}
    UPDATE content SET until = -until;
    INSERT INTO content (generation, id, until, since, ${columns}, teams, ${ROLES.map(headColumn).join(", ")})
      WITH part AS (
        SELECT s.generation, s.id, s.until, s.since FROM content s
        ${parts("team_grant", "g", "g.content = s.id").join("")}
        ${ROLES.flatMap((role) => parts("container", "h", head(role, "s.id"))).join("")})
      SELECT p.generation, p.id, lead(p.since, 1, -p.until) OVER (PARTITION BY p.generation, p.id, p.until ORDER BY p.since),
          p.since, ${columns.replaceAll(/\w+/g, "s.$&")}, coalesce((
            SELECT CASE WHEN count(*) > ${MOST_LISTED} THEN '${MANY}'
                ELSE string_agg('"' || g.team || '",' || g.role, ',' ORDER BY g.team) END
              FROM team_grant g
              WHERE g.generation = p.generation AND g.content = p.id AND g.since <= p.since AND g.until > p.since), ''),
          ${ROLES.map(
            (role) => `(
            SELECT h.bits FROM container h
              WHERE h.generation = p.generation AND h.since <= p.since AND h.until > p.since AND ${head(role, "p.id")})`,
          ).join(", ")}
        FROM part p CROSS JOIN content s
        WHERE s.generation = p.generation AND s.id = p.id AND s.until = p.until;
    DELETE FROM content WHERE until < 0;
    DELETE FROM container WHERE universe = 0 AND chunk = -1 AND name LIKE 'direct/%';
    ALTER TABLE space DROP COLUMN parent;
    ALTER TABLE space DROP COLUMN level;
    ALTER TABLE space DROP COLUMN teams;`;
};

/** The table by which a node shows how far it has the changes of a generation: see src/store/revisions/publication.ts. */
export const APPLIED = ({ clustered }: Dialect) => `
    CREATE TABLE applied (
      generation bigint PRIMARY KEY,
      revision bigint NOT NULL       -- the latest one of which the rows are there
    ) ${clustered};
    INSERT INTO applied SELECT generation, max(revision) FROM revision GROUP BY generation;`;

/** Adds the definition of a rule to its result, so that its breaches can be listed without the file of rules. */
export const RULE_DEFINITION = ({ text }: Dialect) => `
    ALTER TABLE rule_result ADD COLUMN definition ${text};  -- as in its file, in JSON; null in earlier results`;

/** Drops the slots in the order of their keys, which the table place has, too. */
export const NO_SLOT_ORDER = () => "ALTER TABLE chunk DROP COLUMN slots;";

/** Sessions of people who signed in, and the members to whom their accounts at a provider are bound: see src/store/sign-ins.ts. */
export const SIGN_IN = ({ text }: Dialect) => `
    ALTER TABLE token ADD COLUMN issuer ${text};  -- of a session: the provider that signed the member in; null: a token
    CREATE TABLE sign_in (
      organization ${text} NOT NULL,
      issuer ${text} NOT NULL,
      subject ${text} NOT NULL,      -- the account: \`sub\` of the issuer
      member ${text} NOT NULL,
      bound_at ${text} NOT NULL,
      PRIMARY KEY (organization, issuer, subject)
    );
    CREATE UNIQUE INDEX sign_in_of_member ON sign_in (organization, issuer, member);
    CREATE INDEX token_of_member ON token (organization, member);`;

interface Field {
  readonly name: string;
  /** The JSON text of the default value, which the form leaves out. */
  readonly unless?: string;
  /** The fields of an object. */
  readonly fields?: readonly Field[];
}

const named = (...names: string[]): Field[] => names.map((name) => ({ name }));

const USER = named("object", "id", "displayName", "email", "photoURL", "urls");
const TEAM_FIELDS = named("object", "id", "title", "createdAt");
const LEVEL = { name: "defaultLevel", unless: '"inherit"' };
const COLLECTION = [...named("object", "id", "organization", "title", "parent"), LEVEL];

/** The defaults of a space, in the order of their bits from 1. */
const DEFAULTS = {
  emoji: { name: "emoji", unless: '""' },
  visibility: { name: "visibility", unless: '"private"' },
  revision: { name: "revision", unless: '""' },
  comments: { name: "comments", unless: "0" },
  changeRequests: { name: "changeRequests", unless: "0" },
  changeRequestsOpen: { name: "changeRequestsOpen", unless: "0" },
  changeRequestsDraft: { name: "changeRequestsDraft", unless: "0" },
  defaultLevel: LEVEL,
};
const SPACE = [
  ...named("object", "id", "organization", "title"),
  DEFAULTS.emoji,
  DEFAULTS.visibility,
  ...named("createdAt", "updatedAt", "deletedAt", "editMode", "parent"),
  {
    name: "gitSync",
    fields: named("repoName", "installationProvider", "integration", "url", "updatedAt"),
  },
  ...named("visitorAuth"),
  DEFAULTS.revision,
  DEFAULTS.defaultLevel,
  DEFAULTS.comments,
  DEFAULTS.changeRequests,
  DEFAULTS.changeRequestsOpen,
  DEFAULTS.changeRequestsDraft,
  { name: "urls", fields: named("location", "app", "published", "public", "icon") },
];

/** The documents in the log, by the place of their kind in `KINDS`. */
const LOGGED: readonly (readonly [kind: number, fields: readonly Field[]])[] = [
  [1, USER],
  [3, TEAM_FIELDS],
  [5, COLLECTION],
  [6, SPACE],
];

/**
 * Brings stored documents to the form in which later imports stage them: the fields in the order of their declaration,
 * without defaults. Their dates are in UTC already. Drops logged changes of which nothing is left.
 */
export const ONE_FORM = (dialect: Dialect) => {
  const bits = Object.values(DEFAULTS).map(
    ({ name, unless }, place) =>
      `CASE WHEN ${dialect.field("doc", name)} = '${unless}' THEN ${1 << place} ELSE 0 END`,
  );
  return `
    UPDATE member SET doc = ${form("doc", USER)} WHERE doc <> '' AND doc <> ${form("doc", USER)};
    UPDATE team SET doc = ${form("doc", TEAM_FIELDS)} WHERE doc <> ${form("doc", TEAM_FIELDS)};
    UPDATE content SET doc = ${form("doc", COLLECTION)} WHERE doc <> ${form("doc", COLLECTION)};
    UPDATE space SET doc = ${form("doc", SPACE)}, omitted = omitted | ${bits.join(" | ")}
      WHERE doc <> ${form("doc", SPACE)};
    ${LOGGED.map(([kind, fields]) => logged(kind, fields)).join("")}`;

  function logged(kind: number, fields: readonly Field[]): string {
    const [was, becomes] = [form("was", fields), form("becomes", fields)];
    // After a person was forgotten, both sides were equal before: such a change stays.
    return `
    DELETE FROM record_change WHERE kind = ${kind} AND was <> becomes AND ${was} = ${becomes};
    UPDATE record_change SET was = ${was} WHERE kind = ${kind} AND was <> ${was};
    UPDATE record_change SET becomes = ${becomes} WHERE kind = ${kind} AND becomes <> ${becomes};`;
  }

  /** SQL: a JSON object with these fields only, in this order. */
  function form(json: string, fields: readonly Field[]): string {
    return `'{' || substr(${fields.map((each) => part(json, each)).join(" || ")}, 2) || '}'`;
  }

  /** SQL: a comma and the field, or nothing. */
  function part(json: string, { name, unless, fields }: Field): string {
    const value = dialect.field(json, name);
    const said = unless === undefined ? value : `nullif(${value}, '${unless}')`;
    if (fields === undefined) return `coalesce(',"${name}":' || ${said}, '')`;
    return `CASE WHEN ${value} IS NULL THEN '' ELSE ',"${name}":' || ${form(value, fields)} END`;
  }
};
