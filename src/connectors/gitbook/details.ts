import { type ContentKey, contentKey } from "../../domain/content.ts";
import type { Role } from "../../domain/role.ts";
import type { Client } from "./api/client.ts";
import type { Concerns } from "./concerns.ts";
import type { Json } from "./api/json.ts";
import { roleIn, textIn } from "./record.ts";
import type { Inventory } from "./inventory.ts";

export interface Grants {
  readonly users: ReadonlyMap<string, Role>;
  readonly teams: ReadonlyMap<string, Role>;
}

/** The details of an inventory's items. An item that did not exist any more has none. */
export interface Details {
  /** The role of each member in a team, by team. */
  readonly teams: Map<string, ReadonlyMap<string, "owner" | "member">>;
  readonly grants: Map<ContentKey, Grants>;
  /** The ids of the spaces of a site, by site. */
  readonly sites: Map<string, ReadonlySet<string>>;
}

export interface Thing {
  readonly kind: "team" | "collection" | "space" | "site";
  readonly id: string;
}

export function thingsOn(inventory: Inventory): Thing[] {
  const of = (kind: Thing["kind"], ids: Iterable<string>) => [...ids].map((id): Thing => ({ kind, id }));
  return [
    ...of("team", inventory.teams.keys()),
    ...of("collection", inventory.collections.keys()),
    ...of("space", inventory.spaces.keys()),
    ...of("site", inventory.sites.keys()),
  ];
}

/** How many requests the details of an item take if each of its lists is one page. */
export function requestsFor({ kind, id }: Thing, inventory: Inventory): number {
  if (kind === "site") return inventory.sites.get(id)?.hasRoles === true ? 3 : 1;
  return kind === "team" ? 1 : 2;
}

/** Reads the details of an item and replaces those read before. */
export async function readDetails(
  client: Client,
  { kind, id }: Thing,
  inventory: Inventory,
  details: Details,
  concerns: Concerns,
): Promise<void> {
  const organization = inventory.organization.id;
  if (kind === "team") {
    const members = new Map<string, "owner" | "member">();
    const there = await client.walk(["orgs", organization, "teams", id, "members"], {}, (item) => {
      const user = textIn(item, "organization", "user", "id");
      concerns.noteUnknownFields("teamMember", item, `team/${id}`);
      members.set(user, teamRoleIn(item, `team/${id}`, concerns));
    });
    keep(details.teams, id, there, members);
  } else if (kind === "site") {
    keep(details.sites, id, ...(await siteSpaces(client, id, inventory, concerns)));
  } else {
    const users = new Map<string, Role>();
    const teams = new Map<string, Role>();
    const path = [`${kind}s`, id, "permissions"];
    const there =
      (await client.walk([...path, "users"], {}, granting(users, "user", `${kind}/${id}`, concerns))) &&
      (await client.walk([...path, "teams"], {}, granting(teams, "team", `${kind}/${id}`, concerns)));
    keep(details.grants, contentKey(kind, id), there, { users, teams });
  }
}

function keep<Key, Value>(map: Map<Key, Value>, key: Key, there: boolean, value: Value): void {
  if (there) map.set(key, value);
  else map.delete(key);
}

function granting(given: Map<string, Role>, to: "user" | "team", at: string, concerns: Concerns) {
  return (item: Json) => {
    const id = textIn(item, to, "id");
    concerns.noteUnknownFields("permission", item, at);
    const role = roleIn(item.permission, at, concerns);
    if (role === undefined) given.delete(id);
    else given.set(id, role);
  };
}

async function siteSpaces(
  client: Client,
  id: string,
  inventory: Inventory,
  concerns: Concerns,
): Promise<[there: boolean, spaces: Set<string>]> {
  const spaces = new Set<string>();
  const site = ["orgs", inventory.organization.id, "sites", id];
  const there = await client.walk([...site, "site-spaces"], {}, (item) => {
    concerns.noteUnknownFields("siteSpace", item, `site/${id}`);
    spaces.add(textIn(item, "space", "id"));
  });
  if (!there || inventory.sites.get(id)?.hasRoles !== true) return [there, spaces];
  for (const grantees of ["users", "teams"]) {
    const given = () => concerns.note("site-permissions", `site/${id}`);
    if (!(await client.walk([...site, "permissions", grantees], {}, given))) return [false, spaces];
  }
  return [true, spaces];
}

/** An unknown role becomes the lower one, because a role in a team gives no access to content. */
function teamRoleIn(item: Json, at: string, concerns: Concerns): "owner" | "member" {
  const role = textIn(item, "team", "role");
  if (role === "owner" || role === "member") return role;
  concerns.note("value:teamMember.role", at);
  return "member";
}
