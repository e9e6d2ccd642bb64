/** Erases a person's data from the past revisions of an organization (docs/past.md). */
import { userDocument } from "../../domain/document.ts";
import { CommandError } from "../../domain/error.ts";
import { FOREVER } from "../schema/as-of.ts";
import { type Connection, type Engine, statement } from "../engine/engine.ts";
import { MEMBERS } from "../schema/set-names.ts";
import { entriesOf } from "../schema/search-terms.ts";
import { currentOf } from "./publication.ts";

export const GENERATIONS = statement<[generation: number]>(
  () => "SELECT generation FROM generation WHERE organization = $1 ORDER BY generation",
);
const ROWS = statement<[position: number, until: number, doc: string]>(
  () => `
    SELECT m.position, m.until, m.doc FROM place p CROSS JOIN member m
      WHERE p.generation = $1 AND p.universe = ${MEMBERS} AND p.key = $2
        AND m.generation = $1 AND m.position = p.position`,
);
const DESCRIBE = statement<never>(
  () => "UPDATE member SET doc = $4, omitted = $5 WHERE generation = $1 AND position = $2 AND until = $3",
);
const UNFIND = statement<never>(
  () => "DELETE FROM search WHERE generation = $1 AND entry = $2 AND thing = $3",
);
/**
 * Replaces a member's documents in the log. Only documents begin with a brace; the other logged texts of a member do
 * not.
 */
export const LOGGED = statement<never>(
  () => `
    UPDATE record_change
      SET was = CASE WHEN was LIKE '{%' THEN $3 ELSE was END, becomes = CASE WHEN becomes LIKE '{%' THEN $3 ELSE becomes END
      WHERE generation = $1 AND member = $2 AND (was LIKE '{%' OR becomes LIKE '{%') AND NOT (
        (was IS NULL OR was = $3) AND (becomes IS NULL OR becomes = $3))`,
);
/** Deletes the hashes of lines, because with a hash somebody could confirm a guess of the erased data. */
const FORGET_LINES = statement<never>(() => "DELETE FROM line_hash WHERE generation = $1");
export const ERASED = statement<never>(() => "UPDATE organization SET erasures = erasures + 1 WHERE id = $1");

/**
 * Erases a user's name, e-mail address, picture and links from all revisions of an organization and from the log. The
 * id remains. Returns the number of erased documents, 0 if all were erased before. `waiting` is called if another
 * process imports. Throws a CommandError for a current member, and for a user who was never a member.
 */
export async function forgetUser(
  engine: Engine,
  organization: string,
  user: string,
  waiting: () => void,
): Promise<number> {
  return engine.importing(
    (staging) =>
      staging.transaction(async (connection) => {
        const current = await currentOf(connection, organization);
        if (current === undefined) {
          throw new CommandError(`There is no organization ${JSON.stringify(organization)}.`);
        }
        let known = false;
        let removed = 0;
        for (const [generation] of await connection.read(GENERATIONS, organization)) {
          const rows = await connection.read(ROWS, generation, user);
          known ||= rows.length > 0;
          if (generation === current.generation && rows.some(([, until]) => until === FOREVER)) {
            throw new CommandError(
              `${user} is a member of organization ${organization} now; only former members can be forgotten. Nothing was changed.`,
            );
          }
          removed += await forgetIn(connection, generation, user, rows);
          await connection.write(FORGET_LINES, generation);
        }
        if (!known)
          throw new CommandError(
            `There is no user ${JSON.stringify(user)} in the past of organization ${organization}.`,
          );
        if (removed > 0) {
          await connection.write(ERASED, organization);
          await engine.announce(connection, "anything");
        }
        return removed;
      }),
    waiting,
  );
}

async function forgetIn(
  connection: Connection,
  generation: number,
  user: string,
  rows: readonly (readonly [position: number, until: number, doc: string])[],
): Promise<number> {
  const { text, omitted } = userDocument({ object: "user", id: user, displayName: user });
  let removed = await connection.write(LOGGED, generation, user, text);
  for (const [position, until, doc] of rows) {
    if (doc === text) continue;
    // An empty document stands for the document of the member's next row, which this loop erases, too.
    const texts = doc === "" ? [] : textsOf(doc);
    for (const entry of entriesOf("member", texts)) {
      await connection.write(UNFIND, generation, entry, `member/${user}`);
    }
    removed += await connection.write(DESCRIBE, generation, position, until, text, omitted);
  }
  return removed;
}

/** The texts by which search finds a user. */
function textsOf(doc: string): string[] {
  const { displayName, email }: { displayName: string; email?: string } = JSON.parse(doc);
  return email === undefined ? [displayName] : [displayName, email];
}
