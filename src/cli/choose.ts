import { CommandError, UsageError } from "../domain/error.ts";
import { listOrganizations } from "../store/organizations.ts";
import type { Revision } from "../store/reading.ts";
import type { Store } from "../store/store.ts";

/** How many organizations a message names. */
const NAMED = 10;

/**
 * The organization that a command is about, as readers see it now: the one named, or the only one there is. Throws
 * a CommandError where it does not exist, a UsageError where one of several has to be named.
 */
export async function chooseOrganization(store: Store, id: string | undefined): Promise<Revision> {
  if (id !== undefined) {
    const organization = await store.registry.organization(id);
    if (organization !== undefined) return organization.current;
    throw new CommandError(`There is no organization ${JSON.stringify(id)}; see rolebook organization list.`);
  }
  const [only, ...others] = await listOrganizations(store.engine, store.registry);
  if (only === undefined) {
    throw new CommandError("The database has no organization yet; rolebook import FILE brings one in.");
  }
  if (others.length === 0) return only;
  const ids = [only, ...others].map(({ organization }) => organization);
  const shown =
    ids.length > NAMED ? `${ids.slice(0, NAMED).join(", ")} and ${ids.length - NAMED} more` : ids.join(", ");
  throw new UsageError(`There are several organizations; say which with --organization: ${shown}.`);
}
