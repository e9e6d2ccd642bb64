import type { SnapshotRecord } from "../records.ts";

/** Removes records that refer to missing ones. A content whose parent is missing moves to the top level. */
export function prune(records: readonly SnapshotRecord[]): SnapshotRecord[] {
  const users = new Set(records.flatMap((record) => (record.object === "user" ? record.id : [])));
  const kept = records.filter((record) => record.object !== "member" || users.has(record.user));

  const members = new Set(
    kept.flatMap((record) => (record.object === "member" ? pair(record.organization, record.user) : [])),
  );
  const owners = (kind: "team" | "collection" | "space" | "site") =>
    new Map(kept.flatMap((record) => (record.object === kind ? [[record.id, record.organization]] : [])));
  const teams = owners("team");
  const collections = owners("collection");
  const spaces = owners("space");
  const sites = owners("site");

  return kept.flatMap((record): SnapshotRecord[] => {
    switch (record.object) {
      case "collection":
      case "space": {
        if (record.parent === undefined || collections.has(record.parent)) return [record];
        const { parent: _, ...top } = record;
        return [top];
      }
      case "teamMember": {
        const organization = teams.get(record.team);
        return organization !== undefined && members.has(pair(organization, record.user)) ? [record] : [];
      }
      case "siteSpace":
        return sites.has(record.site) && spaces.has(record.space) ? [record] : [];
      case "permission": {
        const organization =
          record.space === undefined ? collections.get(record.collection) : spaces.get(record.space);
        if (organization === undefined) return [];
        const there =
          record.user === undefined ? teams.has(record.team) : members.has(pair(organization, record.user));
        return there ? [record] : [];
      }
      default:
        return [record];
    }
  });
}

function pair(organization: string, user: string): string {
  return JSON.stringify([organization, user]);
}
