/**
 * Whether the rows of a published revision can be read. On a distributed database, a transaction becomes visible on the
 * coordinator, which names the current revision, and then on the node with the rows: seconds later if the second message
 * is lost. So each revision marks its generation in the transaction that writes its rows, on the same node.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { CommandError, NotVisibleError } from "../../domain/error.ts";
import { type Connection, type Engine, statement } from "../engine/engine.ts";
import type { Revision } from "../reading.ts";

/** A revision that a command has published, and the generation with its rows. */
export type Published = Pick<Revision, "organization" | "generation" | "revision">;

const APPLIED = statement<[one: number]>(
  () => "SELECT 1 FROM applied WHERE generation = $1 AND revision >= $2",
);
const APPLY = statement<never>(
  () => `
    INSERT INTO applied (generation, revision) VALUES ($1, $2)
      ON CONFLICT (generation) DO UPDATE SET revision = excluded.revision`,
);

/** Marks the rows of a revision as written. Call it in the transaction that publishes the revision. */
export async function markApplied(
  connection: Connection,
  generation: number,
  revision: number,
): Promise<void> {
  await connection.write(APPLY, generation, revision);
}

export async function isApplied(
  reader: Pick<Connection, "read">,
  { generation, revision }: Pick<Published, "generation" | "revision">,
): Promise<boolean> {
  return (await reader.read(APPLIED, generation, revision)).length > 0;
}

/** Throws a CommandError if a change of this revision would not read all of its rows. */
export async function mustBeApplied(reader: Pick<Connection, "read">, base: Published): Promise<void> {
  if (await isApplied(reader, base)) return;
  throw new CommandError(
    `Revision ${base.revision} of organization ${base.organization} is committed, but its node does not show it yet; nothing was changed. Run this again.`,
  );
}

/** How long a command waits until readers see its revision, and the interval of its looks, in milliseconds. */
const PATIENCE = 10_000;
const EVERY = 50;

/**
 * Resolves when readers see the revisions that a command has published. Throws a NotVisibleError if a node does not show
 * one of them within {@link PATIENCE}.
 */
export async function becomeVisible(
  engine: Pick<Engine, "readFresh">,
  published: readonly Published[],
): Promise<void> {
  const reader: Pick<Connection, "read"> = {
    read: (wanted, ...parameters) => engine.readFresh(wanted, ...parameters),
  };
  const until = performance.now() + PATIENCE;
  for (const each of published) {
    for (;;) {
      // The revision is committed, whatever the error of a look is.
      const cause = await isApplied(reader, each).catch((error: unknown) => ({ error }));
      if (cause === true) break;
      if (performance.now() > until) throw notVisible(each, cause);
      await sleep(EVERY);
    }
  }
}

function notVisible({ organization, revision }: Published, cause: unknown): NotVisibleError {
  return new NotVisibleError(
    `Revision ${revision} of organization ${organization} is committed, but its node does not show it yet; readers see the revision before it until then. Do not run this again; rolebook status shows what is missing.`,
    { cause },
  );
}
