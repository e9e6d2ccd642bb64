/** Erases a person's data from the rows of past revisions (docs/past.md). */
import { userDocument } from "../../domain/document.ts";
import { CommandError } from "../../domain/error.ts";
import { Checksum } from "../../model/checksum.ts";
import { type Connection, type Engine, statement } from "../engine/engine.ts";
import { currentOf } from "../revisions/publication.ts";
import { FOREVER } from "../schema/as-of.ts";
import { undoUnpublished } from "./undo.ts";
import { type Sizes, Totals } from "./revision-row.ts";

const GENERATIONS = statement<[generation: number]>(
  () => "SELECT generation FROM generation WHERE organization = $1 ORDER BY generation",
);
const PROFILES = statement<[since: number, until: number, profile: string]>(
  () => `
    SELECT r.since, r.until, r.profile FROM member_row r
      WHERE r.generation = $1 AND r.id = $2 AND r.part = 0 ORDER BY r.since`,
);
const DESCRIBE = statement<never>(
  () => `
    UPDATE member_row SET profile = $4, omitted = $5 WHERE generation = $1 AND id = $2 AND part = 0 AND since = $3`,
);
/**
 * Replaces a member's documents in the log. Only documents begin with a brace; the other logged texts of a member do
 * not.
 */
const LOGGED = statement<never>(
  () => `
    UPDATE record_change
      SET was = CASE WHEN was LIKE '{%' THEN $3 ELSE was END, becomes = CASE WHEN becomes LIKE '{%' THEN $3 ELSE becomes END
      WHERE generation = $1 AND member = $2 AND (was LIKE '{%' OR becomes LIKE '{%') AND NOT (
        (was IS NULL OR was = $3) AND (becomes IS NULL OR becomes = $3))`,
);
const REVISIONS = statement<[revision: number, checksum: string, sizes: string]>(
  () => `
    SELECT r.revision, r.checksum, r.sizes FROM revision_row r
      WHERE r.generation = $1 AND r.revision >= $2 AND r.revision < $3`,
);
const RECOUNT = statement<never>(
  () => "UPDATE revision_row SET checksum = $3, sizes = $4 WHERE generation = $1 AND revision = $2",
);

const ERASED = statement<never>(() => "UPDATE organization SET erasures = erasures + 1 WHERE id = $1");

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
  return engine.importing(async (staging) => {
    await undoUnpublished(staging);
    return staging.transaction(async (connection) => {
      const erased = await forgetEverywhere(connection, organization, user);
      if (erased > 0) {
        await connection.write(ERASED, organization);
        await engine.announce(connection, "anything");
      }
      return erased;
    });
  }, waiting);
}

async function forgetEverywhere(connection: Connection, organization: string, user: string): Promise<number> {
  const current = await currentOf(connection, organization);
  if (current === undefined) {
    throw new CommandError(`There is no organization ${JSON.stringify(organization)}.`);
  }
  let [isKnown, erased] = [false, 0];
  for (const [generation] of await connection.read(GENERATIONS, organization)) {
    const profiles = await connection.read(PROFILES, generation, user);
    isKnown ||= profiles.length > 0;
    if (generation === current.generation && profiles.some(([, until]) => until === FOREVER)) {
      throw new CommandError(
        `${user} is a member of organization ${organization} now; only former members can be forgotten. Nothing was changed.`,
      );
    }
    erased += await forgetIn(connection, generation, user, profiles);
  }
  if (isKnown) return erased;
  throw new CommandError(
    `There is no user ${JSON.stringify(user)} in the past of organization ${organization}.`,
  );
}

/**
 * Erases a user from the rows and the log of a generation. The revisions in which the user was a member get other
 * checksums. Returns the number of erased documents.
 */
async function forgetIn(
  connection: Connection,
  generation: number,
  user: string,
  profiles: readonly (readonly [since: number, until: number, profile: string])[],
): Promise<number> {
  const { text, omitted } = userDocument({ object: "user", id: user, displayName: user });
  let erased = await connection.write(LOGGED, generation, user, text);
  for (const [since, until, was] of profiles) {
    if (was === text) continue;
    erased += await connection.write(DESCRIBE, generation, user, since, text, omitted);
    const recounted = (await connection.read(REVISIONS, generation, since, until)).map(
      ([revision, checksum, stored]) => {
        const sizes: Sizes = JSON.parse(stored);
        const totals = new Totals(sizes, new Checksum(checksum));
        totals.change([{ kind: "user", member: user, was, becomes: text }]);
        return [generation, revision, totals.checksum.toString(), JSON.stringify(totals.sizes)];
      },
    );
    await connection.writeEach(RECOUNT, recounted);
  }
  return erased;
}
