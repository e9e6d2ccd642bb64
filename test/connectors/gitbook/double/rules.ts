/** Rules for effective roles that GitBook's documentation suggests, besides those of docs/permissions.md. */
import { ancestry, highest, levelOf, recordOf, sitesAskedBy, theirs } from "../../../oracle/effective.ts";
import { type Content, type Facts, factsOf } from "../../../oracle/facts.ts";
import type {
  ContentPermission,
  DefaultLevel,
  PermissionRecord,
  Role,
  SnapshotRecord,
} from "../../../oracle/records.ts";

/**
 * `broadest`: on the nearest level that says something, the highest of all that is said there; all sites of a space are
 * one level. `highest`: the highest of all levels up to the first with a default level of its own.
 */
export type OtherRule = "broadest" | "highest";

/** An organization in which every effective role is a direct permission: what the rule gives in `records`. */
export function ruledBy(
  rule: OtherRule,
  records: readonly SnapshotRecord[],
  organization: string,
): SnapshotRecord[] {
  const facts = factsOf(records, organization);
  return records.flatMap((record): SnapshotRecord[] => {
    if (record.object === "permission") return [];
    if (record.object === "site") return [{ ...record, defaultLevel: "inherit" }];
    if (record.object !== "space" && record.object !== "collection") return [record];
    const on = record.object === "space" ? { space: record.id } : { collection: record.id };
    const given = [...facts.members.keys()].flatMap((user): ContentPermission[] => {
      const permission = roleOf(rule, facts, user, { kind: record.object, id: record.id });
      return permission === undefined ? [] : [{ object: "permission", ...on, user, permission }];
    });
    return [{ ...record, defaultLevel: null }, ...given];
  });
}

type Said = Role | null;

function roleOf(rule: OtherRule, facts: Facts, user: string, content: Content): Role | undefined {
  const own = facts.members.get(user) ?? null;
  if (own === "admin") return own;
  const given = (permissions: readonly PermissionRecord[]): Said[] => {
    const { direct, teams } = theirs(facts, user, permissions);
    return [...(direct === undefined ? [] : [direct]), ...teams.map(({ role }) => role)];
  };
  const byDefault = (level: DefaultLevel): Said[] => (level === "inherit" ? [] : [own && level]);
  const said: Said[][] = [];
  for (const at of ancestry(facts, content)) {
    const record = recordOf(facts, at);
    const level = record === undefined ? "inherit" : levelOf(record);
    const sites = sitesAskedBy(facts, at).flatMap((id) => {
      const site = facts.siteRecords.get(id);
      return [
        ...given(facts.permissionsOnSite(id)),
        ...byDefault(site === undefined ? "inherit" : levelOf(site)),
      ];
    });
    said.push(given(facts.permissionsOn(at)), byDefault(level), sites);
    if (level !== "inherit") return counted(rule, said);
  }
  return counted(rule, [...said, [own]]);
}

function counted(rule: OtherRule, said: readonly Said[][]): Role | undefined {
  const counts = rule === "highest" ? said.flat() : (said.find((level) => level.length > 0) ?? []);
  return highest(counts.filter((role) => role !== null));
}
