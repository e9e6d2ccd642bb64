import { idOf, kindOf } from "../../domain/content.ts";
import type { SnapshotRecord } from "../../snapshot/records.ts";
import type { Pulled } from "./pull.ts";

/**
 * The records of a pulled organization, in an export's order. Disabled members and records that name them are
 * omitted, because GitBook gives them no access, and so are items that disappeared.
 */
export function* snapshotOf({ spine, details }: Pulled): Generator<SnapshotRecord> {
  const organization = spine.organization.id;
  const isMember = (user: string) => spine.members.get(user)?.disabled === false;
  yield spine.organization;
  for (const { user, role, disabled } of spine.members.values()) {
    if (disabled) continue;
    yield user;
    yield { object: "member", organization, user: user.id, role };
  }
  yield* spine.teams.values();
  for (const team of spine.teams.keys()) {
    for (const [user, role] of details.teams.get(team) ?? []) {
      if (isMember(user)) yield { object: "teamMember", team, user, role };
    }
  }
  yield* spine.collections.values();
  yield* spine.spaces.values();
  for (const { record } of spine.sites.values()) yield record;
  for (const site of spine.sites.keys()) {
    for (const space of details.sites.get(site) ?? []) {
      if (spine.spaces.has(space)) yield { object: "siteSpace", site, space };
    }
  }
  for (const [key, { users, teams }] of details.grants) {
    const isSpace = kindOf(key) === "space";
    if (!(isSpace ? spine.spaces : spine.collections).has(idOf(key))) continue;
    const on = isSpace ? { space: idOf(key) } : { collection: idOf(key) };
    for (const [user, permission] of users) {
      if (isMember(user)) yield { object: "permission", ...on, user, permission };
    }
    for (const [team, permission] of teams) {
      if (spine.teams.has(team)) yield { object: "permission", ...on, team, permission };
    }
  }
}
