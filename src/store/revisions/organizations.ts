import { setTimeout as sleep } from "node:timers/promises";
import { CommandError } from "../../domain/error.ts";
import { type Engine, statement } from "../engine/engine.ts";
import { sweep } from "../writing/generation/sweep.ts";
import type { Revision } from "../reading.ts";
import { dropRuleResults } from "../rule-results.ts";
import { type Registry } from "./registry.ts";

const IDS = statement<[id: string]>(() => "SELECT id FROM organization ORDER BY id");

/** All organizations, by id, each as readers see it now. */
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

/** The time in milliseconds for pages that were begun before a removal to finish reading. */
const LAST_PAGES = 2_000;

/**
 * Removes an organization and its tokens. From the next request on nobody sees it; its rows are deleted later. Throws a
 * CommandError if it does not exist. `waiting` is called if an import is running, which the removal waits for.
 */
export async function removeOrganization(engine: Engine, id: string, waiting: () => void): Promise<void> {
  await engine.importing(async (staging) => {
    await staging.transaction(async (connection) => {
      // The organization first: creating a token locks its row, so this waits until the token is committed.
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
