import { idOf, kindOf } from "../../domain/content.ts";
import type { SnapshotRecord } from "../../snapshot/records.ts";
import type { Pulled } from "./pull.ts";

/**
 * The records of a pulled organization, in the order of an export. Left out are disabled members, to whom GitBook gives
 * no access, items that disappeared, and what names them.
 */
export function* snapshotOf({ inventory, details }: Pulled): Generator<SnapshotRecord> {
  const organization = inventory.organization.id;
  const isMember = (user: string) => inventory.members.get(user)?.disabled === false;
  yield inventory.organization;
  for (const { user, role, disabled } of inventory.members.values()) {
    if (disabled) continue;
    yield user;
    yield { object: "member", organization, user: user.id, role };
  }
  yield* inventory.teams.values();
  for (const team of inventory.teams.keys()) {
    for (const [user, role] of details.teams.get(team) ?? []) {
      if (isMember(user)) yield { object: "teamMember", team, user, role };
    }
  }
  yield* inventory.collections.values();
  yield* inventory.spaces.values();
  for (const { record } of inventory.sites.values()) yield record;
  for (const site of inventory.sites.keys()) {
    for (const space of details.sites.get(site) ?? []) {
      if (inventory.spaces.has(space)) yield { object: "siteSpace", site, space };
    }
  }
  for (const [key, { users, teams }] of details.grants) {
    const isSpace = kindOf(key) === "space";
    if (!(isSpace ? inventory.spaces : inventory.collections).has(idOf(key))) continue;
    const on = isSpace ? { space: idOf(key) } : { collection: idOf(key) };
    for (const [user, permission] of users) {
      if (isMember(user)) yield { object: "permission", ...on, user, permission };
    }
    for (const [team, permission] of teams) {
      if (inventory.teams.has(team)) yield { object: "permission", ...on, team, permission };
    }
  }
}
