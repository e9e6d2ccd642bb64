/** SQL for the current rows (`s`) of organization `o`, with which an import compares the staged rows (`r`). */
import { type Dialect, type Staging, statement } from "../../engine/engine.ts";
import { FOREVER } from "../../schema/as-of.ts";
import { mustBeApplied } from "../../revisions/applied.ts";
import { MEMBERS } from "../../schema/set-names.ts";

const STORED = statement<[organization: string, revision: number, generation: number]>(
  () => "SELECT id, current, stored FROM staged_organization WHERE stored IS NOT NULL",
);

/** The tables that every import compares with staged tables. */
const RECORDS = [
  "place",
  "member",
  "team",
  "team_member",
  "content",
  "space",
  "team_grant",
  "user_grant",
  "site",
  "site_space",
];

/**
 * Makes stored rows available for comparison: those of the given tables, by default of all tables with records. Throws a
 * CommandError if the rows of a current revision cannot be read yet.
 */
export async function fetchStored(staging: Staging, tables: readonly string[] = RECORDS): Promise<void> {
  const generations: number[] = [];
  for (const [organization, revision, generation] of await staging.read(STORED)) {
    await mustBeApplied(staging, { organization, revision, generation });
    generations.push(generation);
  }
  for (const table of tables) await staging.fetch(table, generations);
}

/** SQL: whether a row of organization `o` is current. */
export function isStored(alias: string): string {
  return `${alias}.generation = o.stored AND ${alias}.until = ${FOREVER}`;
}

/** A FROM item with its condition: the current row of a table with a key. */
export function storedRow({ stored }: Dialect, table: string, key: string): string {
  return `${stored(table)} s WHERE ${isStored("s")} AND ${key}`;
}

/**
 * A FROM item with its condition: the current rows at all positions of a user id, in a table keyed by a member's
 * position.
 */
export function storedOfMember({ stored }: Dialect, table: string, user: string, key = "true"): string {
  return `${stored("place")} p CROSS JOIN ${stored(table)} s
    WHERE p.generation = o.stored AND p.universe = ${MEMBERS} AND p.key = ${user}
      AND ${isStored("s")} AND s.position = p.position AND ${key}`;
}
