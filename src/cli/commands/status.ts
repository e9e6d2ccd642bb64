import { megabytes } from "../../domain/text.ts";
import { keptOf } from "../../store/revisions/history.ts";
import { confirmedAt, listOrganizations, unreachable } from "../../store/revisions/organizations.ts";
import { isApplied } from "../../store/revisions/publication.ts";
import { withExistingStore } from "../database.ts";
import { print, table } from "../terminal.ts";

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
  await withExistingStore(options.database, async ({ store: { engine } }) => {
    const organizations = await listOrganizations(engine);
    const confirmed = await Promise.all(organizations.map((each) => confirmedAt(engine, each.organization)));
    const lost = await unreachable(engine, organizations);
    const kept = new Map((await keptOf(engine, lost)).map((each) => [each.organization, each]));
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
        past?.bytes === undefined ? "unknown" : megabytes(past.bytes),
      ];
    });
    await print(table(HEAD, rows));
    if (lost.size > 0) await print(`cannot be read now: ${[...lost].join(", ")}`);
    for (const at of organizations) {
      if (lost.has(at.organization) || (await isApplied(engine, at))) continue;
      await print(`committed, but not visible yet: revision ${at.revision} of ${at.organization}`);
    }
    const size = await engine.size();
    const without = size.lost.length > 0 ? `, without what is on ${size.lost.join(" and ")}` : "";
    await print(`database ${engine.name}, ${megabytes(size.bytes)} MB${without}`);
  });
}
