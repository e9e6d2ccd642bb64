import { expect } from "vitest";
import { ROLES } from "../../../src/domain/role.ts";
import { type SqlValue, statement } from "../../../src/store/engine/engine.ts";
import { CONTENT_ROW, ONE_FORM, SPACE_LEVELS } from "../../../src/store/schema/steps.ts";
import { runStep } from "../../../src/store/schema/migrations.ts";
import { reformed } from "../../oracle/random/respelled.ts";
import { randomOf } from "../../oracle/random/values.ts";
import type { World } from "../../world.ts";
import { writeDirectly } from "../../directly.ts";

/** The columns of a content in schema 10. */
const CONTENT = "generation, id, parent, title, level, depth, position, doc, look";

const HEADS = ROLES.map((role) => `direct_${role}`).join(", ");

/** SQL: the rows of a table with equal values that follow one another, as one row. */
const joined = (rows: string, columns: string) => `
    WITH marked AS (
        SELECT ${columns}, since, until, CASE WHEN lag(until) OVER w = since THEN 0 ELSE 1 END AS begins FROM ${rows}
          WINDOW w AS (PARTITION BY ${columns} ORDER BY since)),
      numbered AS (
        SELECT marked.*, sum(begins) OVER (PARTITION BY ${columns} ORDER BY since) AS part FROM marked)
    SELECT ${columns}, max(until) AS until, min(since) AS since FROM numbered GROUP BY ${columns}, part`;

/**
 * Recreates the tables of schema 4, in which neither rows of spaces nor rows of contents had lists of teams or heads, and
 * rows did not end when these changed.
 */
const BACK = `
  CREATE TABLE head_before AS ${ROLES.map(
    (role) =>
      `SELECT * FROM (${joined(
        `(SELECT generation, 'direct/' || id || '/${role}' AS name, direct_${role} AS bits, since, until
          FROM content WHERE direct_${role} IS NOT NULL) x`,
        "generation, name, bits",
      )}) ${role}_heads`,
  ).join(" UNION ALL ")};
  INSERT INTO container (generation, universe, chunk, name, until, since, bits)
    SELECT generation, 0, -1, name, until, since, bits FROM head_before;
  DROP TABLE head_before;
  CREATE TABLE content_before AS ${joined("content", CONTENT)};
  DELETE FROM content;
  ALTER TABLE content DROP COLUMN teams;
  ${ROLES.map((role) => `ALTER TABLE content DROP COLUMN direct_${role};`).join("\n  ")}
  INSERT INTO content (${CONTENT}, until, since) SELECT ${CONTENT}, until, since FROM content_before;
  DROP TABLE content_before`;

/** What the rows of contents say, without divisions at revisions that changed nothing. */
const CONTENTS = statement<SqlValue[]>(
  () => `${joined("content", `${CONTENT}, teams, ${HEADS}`)} ORDER BY generation, id, since`,
);

/** As {@link CONTENTS}, of spaces: their rows were once divided when a team grant changed, and stay divided. */
const SPACES = statement<SqlValue[]>(
  () => `${joined("space", "generation, position, key, doc, omitted")} ORDER BY generation, position, since`,
);

/** Takes the rows of spaces and contents back to schema 4 and all documents to schema 7, and migrates them again. */
export async function upgradeAgain(world: World): Promise<void> {
  const { engine } = world.store;
  // As after a person was forgotten, of whom both sides of a logged change say the same.
  for (const [generation, revision, number, text] of await engine.read(LOGGED)) {
    await writeDirectly(engine, LOG, generation, revision, number, 1_000_000, text, text);
  }
  const [contents, spaces] = [await engine.read(CONTENTS), await engine.read(SPACES)];
  await engine.transaction(async (connection) => {
    await runStep(connection, BACK);
    await runStep(connection, SPACE_LEVELS(connection.dialect));
    await runStep(connection, CONTENT_ROW(connection.dialect));
  });
  expect(await engine.read(CONTENTS)).toEqual(contents);
  expect(await engine.read(SPACES)).toEqual(spaces);
  const before = await documents(world);
  const random = randomOf(before.length);
  await takeOutOfForm(world, random);
  if (before.length > 0) expect(await documents(world)).not.toEqual(before);
  await engine.transaction((connection) => runStep(connection, ONE_FORM(connection.dialect)));
  expect(await documents(world)).toEqual(before);
  world.store.cache.clear();
}

type Key = [first: string | number, second: string | number, third: string | number];

/** The tables with documents: the columns of a row's key, and of its documents. */
const TABLES = [
  ["member", "generation, position, until", "doc"],
  ["team", "generation, id, until", "doc"],
  ["content", "generation, id, until", "doc"],
  ["space", "generation, position, until", "doc"],
  ["record_change", "generation, revision, number", "was"],
  ["record_change", "generation, revision, number", "becomes"],
] as const;

/** Each document with the table and the key of its row, and which fields it omits. */
async function documents(world: World): Promise<unknown[]> {
  const all: unknown[] = [];
  for (const [table, key, doc] of TABLES) {
    const omitted = table === "member" || table === "space" ? "omitted" : "0";
    const rows = statement<[...Key, string, number]>(
      () => `SELECT ${key}, ${doc}, ${omitted} FROM ${table} WHERE ${doc} LIKE '{%' ORDER BY ${key}`,
    );
    for (const row of await world.store.engine.read(rows)) all.push([table, ...row]);
  }
  return all;
}

/** The bits of the defaults of a space in `omitted`. */
const BITS = [
  "emoji",
  "visibility",
  "revision",
  "comments",
  "changeRequests",
  "changeRequestsOpen",
  "changeRequestsDraft",
  "defaultLevel",
];

/**
 * Brings all documents to another form, as a program of schema 7 stored them, and logs changes that such a program saw:
 * of the form only.
 */
async function takeOutOfForm(world: World, random: () => number): Promise<void> {
  const { engine } = world.store;
  for (const [table, key, doc] of TABLES) {
    const omits = table === "space";
    const rows = statement<[...Key, string]>(
      () =>
        `SELECT ${key}, ${doc} FROM ${table} WHERE ${doc} LIKE '{%'
           ${table === "record_change" ? "AND coalesce(was, '') <> coalesce(becomes, '')" : ""}`,
    );
    const [one, two, three] = key.split(", ");
    const where = `WHERE ${one} = $1 AND ${two} = $2 AND ${three} = $3`;
    const write = statement<never>(
      () => `UPDATE ${table} SET ${doc} = $4${omits ? ", omitted = omitted - $5" : ""} ${where}`,
    );
    for (const [first, second, third, text] of await engine.read(rows)) {
      const other = reformed(text, random);
      const bits = other.filled.reduce((sum, name) => sum + 2 ** BITS.indexOf(name), 0);
      await writeDirectly(engine, write, first, second, third, other.text, ...(omits ? [bits] : []));
    }
  }
  for (const [generation, revision, number, text] of await engine.read(LOGGED)) {
    const [was, becomes] = [reformed(text, random).text, reformed(text, random).text];
    if (was !== becomes)
      await writeDirectly(engine, LOG, generation, revision, number, 2_000_000, was, becomes);
  }
}

const LOGGED = statement<[...Key, string]>(
  () => "SELECT generation, revision, number, becomes FROM record_change WHERE becomes LIKE '{%'",
);
const LOG = statement<never>(
  () => `
    INSERT INTO record_change
      SELECT generation, revision, number + $4, kind, member, team, content, site, $5, $6 FROM record_change
        WHERE generation = $1 AND revision = $2 AND number = $3`,
);
