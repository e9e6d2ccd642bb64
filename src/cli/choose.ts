import { CommandError, UsageError } from "../domain/error.ts";
import type { SpeltWhen } from "../domain/date.ts";
import { listOrganizations } from "../store/revisions/organizations/organizations.ts";
import type { Revision } from "../store/reading.ts";
import { revisionAt } from "../store/revisions/past/when.ts";
import type { Store } from "../store/store.ts";

/**
 * The revision that a command reads: the current one, or the one that `when` names. Throws what {@link
 * chooseOrganization} throws, and 404 if the revision cannot be read.
 */
export async function chooseRevision(
  store: Store,
  id: string | undefined,
  when: SpeltWhen | undefined,
): Promise<Revision> {
  const current = await chooseOrganization(store, id);
  const organization = await store.registry.organization(current.organization);
  if (when === undefined || organization === undefined) return current;
  return revisionAt(store.registry.past, organization, when);
}

const NAMED = 10;

/**
 * The organization that a command reads: the named one, or the only one. Throws a CommandError if it does not exist,
 * and a UsageError if there are several and `id` names none.
 */
export async function chooseOrganization(store: Store, id: string | undefined): Promise<Revision> {
  if (id !== undefined) {
    const organization = await store.registry.organization(id);
    if (organization !== undefined) return organization.current;
    throw new CommandError(`There is no organization ${JSON.stringify(id)}; see rolebook organization list.`);
  }
  const [only, ...others] = await listOrganizations(store.engine);
  if (only === undefined) {
    throw new CommandError("The database has no organization yet; import one with rolebook import FILE.");
  }
  if (others.length === 0) return only;
  const ids = [only, ...others].map(({ organization }) => organization);
  const shown =
    ids.length > NAMED ? `${ids.slice(0, NAMED).join(", ")} and ${ids.length - NAMED} more` : ids.join(", ");
  throw new UsageError(`There are several organizations; choose one with --organization: ${shown}.`);
}
