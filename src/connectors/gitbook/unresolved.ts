import { contentKey } from "../../domain/content.ts";
import { type Details, type Grants, type Thing, thingsOn } from "./details.ts";
import type { Inventory } from "./inventory.ts";

/**
 * Items without details, and items whose details name something that the inventory lacks. Either their details or the
 * inventory are outdated.
 */
export function unresolved(inventory: Inventory, details: Details): Thing[] {
  return thingsOn(inventory).filter((thing) => strangersIn(thing, inventory, details)?.length !== 0);
}

/** What an item's details name and the inventory lacks, as `kind/id`; `undefined` if there are no details. */
export function strangersIn(
  { kind, id }: Thing,
  inventory: Inventory,
  details: Details,
): string[] | undefined {
  if (kind === "team") return namesOf("user", details.teams.get(id)?.keys(), inventory);
  if (kind === "site") return namesOf("space", details.sites.get(id), inventory);
  const grants: Grants | undefined = details.grants.get(contentKey(kind, id));
  if (grants === undefined) return undefined;
  return [
    ...(namesOf("user", grants.users.keys(), inventory) ?? []),
    ...(namesOf("team", grants.teams.keys(), inventory) ?? []),
  ];
}

function namesOf(
  kind: "user" | "team" | "space",
  ids: Iterable<string> | undefined,
  inventory: Inventory,
): string[] | undefined {
  const there = { user: inventory.members, team: inventory.teams, space: inventory.spaces }[kind];
  return ids === undefined ? undefined : [...ids].filter((id) => !there.has(id)).map((id) => `${kind}/${id}`);
}

/** Contents that were moved during the pull: an ancestor is missing, or the ancestors form a cycle. */
export function adrift({ spaces, collections }: Inventory): string[] {
  const isAnchored = (parent: string | undefined): boolean => {
    let steps = 0;
    for (let at = parent; at !== undefined; at = collections.get(at)?.parent) {
      if (!collections.has(at) || steps++ > collections.size) return false;
    }
    return true;
  };
  return [
    ...[...collections.values()]
      .filter(({ parent }) => !isAnchored(parent))
      .map(({ id }) => `collection/${id}`),
    ...[...spaces.values()].filter(({ parent }) => !isAnchored(parent)).map(({ id }) => `space/${id}`),
  ];
}

/** The ids of all items, as `kind/id`. */
export function idsOn(inventory: Inventory): Set<string> {
  return new Set([
    ...[...inventory.members.keys()].map((id) => `user/${id}`),
    ...thingsOn(inventory).map(({ kind, id }) => `${kind}/${id}`),
  ]);
}
