import { confirmedAt } from "../store/freshness.ts";
import { listOrganizations } from "../store/organizations.ts";
import { print, withExistingStore } from "./context.ts";
import { table } from "./table.ts";

/** `rolebook status`: what each organization holds, since when, and how large the database is. */
export async function statusCommand(options: { database?: string }): Promise<void> {
  await withExistingStore(options.database, async ({ store }) => {
    const organizations = await listOrganizations(store.engine, store.registry);
    const confirmed = await Promise.all(
      organizations.map((each) => confirmedAt(store.engine, each.organization)),
    );
    const rows = organizations.map(({ organization, revision, importedAt, counts }, index) => [
      organization,
      revision,
      importedAt,
      confirmed[index] ?? importedAt,
      counts.members,
      counts.roles.guest,
      counts.teams,
      counts.collections,
      counts.spaces,
      counts.sites,
      counts.permissions,
    ]);
    const head = [
      "organization",
      "revision",
      "imported",
      "confirmed",
      "members",
      "guests",
      "teams",
      "collections",
      "spaces",
      "sites",
      "permissions",
    ];
    await print(table(head, rows));
    const megabytes = ((await store.engine.size()) / 1e6).toFixed(1);
    await print(`database ${store.engine.name}, ${megabytes} MB`);
  });
}
