import { expect } from "vitest";
import { statement } from "../../../src/store/engine/engine.ts";
import { ONE_FORM, SPACE_LEVELS } from "../../../src/store/schema/steps.ts";
import { runStep } from "../../../src/store/schema/migrations.ts";
import { reformed } from "../../oracle/random/respelled.ts";
import { randomOf } from "../../oracle/random/values.ts";
import type { World } from "../../world.ts";

/**
 * Recreates the tables of schema 4, in which rows of spaces did not list levels and teams, and did not end when these
 * changed.
 */
const BACK = `
  CREATE TABLE space_before AS
    WITH marked AS (
        SELECT space.*, CASE WHEN lag(until) OVER w = since THEN 0 ELSE 1 END AS begins FROM space
          WINDOW w AS (PARTITION BY generation, position, key, doc, omitted ORDER BY since)),
      numbered AS (
        SELECT marked.*, sum(begins) OVER (PARTITION BY generation, position, key, doc, omitted ORDER BY since) AS part
          FROM marked)
    SELECT generation, position, max(until) AS until, min(since) AS since, key, doc, omitted
      FROM numbered GROUP BY generation, position, key, doc, omitted, part;
  DELETE FROM space;
  ALTER TABLE space DROP COLUMN parent;
  ALTER TABLE space DROP COLUMN level;
  ALTER TABLE space DROP COLUMN teams;
  INSERT INTO space (generation, position, until, since, key, doc, omitted)
    SELECT generation, position, until, since, key, doc, omitted FROM space_before;
  DROP TABLE space_before`;

/** Takes the rows of spaces back to schema 4 and all documents to schema 7, and migrates them again. */
export async function upgradeAgain(world: World): Promise<void> {
  const { engine } = world.store;
  // As after a person was forgotten, of whom both sides of a logged change say the same.
  for (const [generation, revision, number, text] of await engine.read(LOGGED)) {
    await engine.write(LOG, generation, revision, number, 1_000_000, text, text);
  }
  const before = await documents(world);
  const random = randomOf(before.length);
  await engine.transaction(async (connection) => {
    await runStep(connection, BACK);
    await runStep(connection, SPACE_LEVELS(connection.dialect));
  });
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
      await engine.write(write, first, second, third, other.text, ...(omits ? [bits] : []));
    }
  }
  for (const [generation, revision, number, text] of await engine.read(LOGGED)) {
    const [was, becomes] = [reformed(text, random).text, reformed(text, random).text];
    if (was !== becomes) await engine.write(LOG, generation, revision, number, 2_000_000, was, becomes);
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
