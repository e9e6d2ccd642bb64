import { setTimeout as sleep } from "node:timers/promises";
import { CommandError } from "../../../domain/error.ts";
import { type Engine, statement } from "../../engine/engine.ts";
import { sweep } from "../../writing/generation/sweep.ts";
import type { Revision } from "../../reading.ts";
import { dropRuleResults } from "../../rule-results.ts";
import { type Registry } from "./registry.ts";

const IDS = statement<[id: string]>(() => "SELECT id FROM organization ORDER BY id");

/** All organizations at their current revisions, by id. */
export async function listOrganizations(engine: Engine, registry: Registry): Promise<Revision[]> {
  const found: Revision[] = [];
  for (const [id] of await engine.readFresh(IDS)) {
    const organization = await registry.organization(id);
    if (organization !== undefined) found.push(organization.current);
  }
  return found;
}

const DROP_REVISIONS = statement<never>(() => "DELETE FROM revision WHERE organization = $1");
const DROP_TOKENS = statement<never>(() => "DELETE FROM token WHERE organization = $1");
const DROP = statement<never>(() => "DELETE FROM organization WHERE id = $1");

/** How long running reads of a removed organization have to end, in milliseconds. */
const LAST_PAGES = 2_000;

/**
 * Removes an organization and its tokens. Requests that begin afterwards do not see the organization. Its rows are
 * deleted after {@link LAST_PAGES} ms. `waiting` is called if an import must end first. Throws a CommandError if the
 * organization does not exist.
 */
export async function removeOrganization(engine: Engine, id: string, waiting: () => void): Promise<void> {
  await engine.importing(async (staging) => {
    await staging.transaction(async (connection) => {
      // Deletes the organization first: a transaction that creates a token locks the organization's row, so this
      // statement waits until that transaction has ended.
      const dropped = await connection.write(DROP, id);
      if (dropped === 0) throw new CommandError(`There is no organization ${JSON.stringify(id)}.`);
      await connection.write(DROP_REVISIONS, id);
      await connection.write(DROP_TOKENS, id);
      await dropRuleResults(connection, id);
      await engine.announce(connection, "anything");
    });
    await sleep(LAST_PAGES);
    await sweep(staging);
  }, waiting);
}
