import { confirmedAt } from "../../../store/revisions/organizations/freshness.ts";
import { listOrganizations } from "../../../store/revisions/organizations/organizations.ts";
import { keptOf } from "../../../store/revisions/past/kept.ts";
import { print, withExistingStore } from "../../context.ts";
import { unreachable } from "../../../store/revisions/organizations/reach.ts";
import { table } from "../../output/table.ts";

const HEAD = [
  "organization",
  "revision",
  "imported",
  "confirmed",
  "last file",
  "last change",
  "members",
  "guests",
  "teams",
  "collections",
  "spaces",
  "sites",
  "permissions",
  "kept",
  "earliest",
  "past, about MB",
];

/**
 * `rolebook status`: the counts, the last import and the readable past of each organization, and the size of the
 * database.
 */
export async function statusCommand(options: { database?: string }): Promise<void> {
  await withExistingStore(options.database, async ({ store: { engine, registry } }) => {
    const organizations = await listOrganizations(engine, registry);
    const confirmed = await Promise.all(organizations.map((each) => confirmedAt(engine, each.organization)));
    const kept = new Map((await keptOf(engine)).map((each) => [each.organization, each]));
    const rows = organizations.map(({ organization, revision, importedAt, counts }, index) => {
      const past = kept.get(organization);
      return [
        organization,
        revision,
        importedAt,
        confirmed[index] ?? importedAt,
        past?.fileAt ?? "never",
        past?.changeAt ?? "never",
        counts.members,
        counts.roles.guest,
        counts.teams,
        counts.collections,
        counts.spaces,
        counts.sites,
        counts.permissions,
        past?.revisions ?? 0,
        past?.earliest ?? revision,
        megabytes(past?.bytes ?? 0),
      ];
    });
    await print(table(HEAD, rows));
    const lost = await unreachable(engine, organizations);
    if (lost.size > 0) await print(`cannot be read now: ${[...lost].join(", ")}`);
    await print(`database ${engine.name}, ${megabytes(await engine.size())} MB`);
  });
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}
