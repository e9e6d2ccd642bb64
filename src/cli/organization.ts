import { listOrganizations, removeOrganization } from "../store/organizations.ts";
import { print, say, withExistingStore } from "./context.ts";
import { table } from "./table.ts";

/** `rolebook organization list`. */
export async function listOrganizationsCommand(options: { database?: string }): Promise<void> {
  await withExistingStore(options.database, async ({ store }) => {
    const organizations = await listOrganizations(store.engine, store.registry);
    await print(
      table(
        ["id", "title"],
        organizations.map(({ organization, title }) => [organization, title]),
      ),
    );
  });
}

/** `rolebook organization remove ID`. */
export async function removeOrganizationCommand(id: string, options: { database?: string }): Promise<void> {
  await withExistingStore(options.database, async ({ store }) => {
    await removeOrganization(store.engine, id, () => say("Waiting for an import to end …"));
    say(`Removed organization ${id} and its tokens from ${store.engine.name}.`);
  });
}
