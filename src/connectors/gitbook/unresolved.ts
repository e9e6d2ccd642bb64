import { contentKey } from "../../domain/content.ts";
import type { Details, Grants, Thing } from "./details.ts";
import { thingsOn } from "./details.ts";
import type { Spine } from "./spine.ts";

/** Items whose details are missing or name something that the spine lacks: one of the two is outdated. */
export function unresolved(spine: Spine, details: Details): Thing[] {
  return thingsOn(spine).filter((thing) => strangersIn(thing, spine, details)?.length !== 0);
}

/** The names in an item's details that the spine lacks; `undefined` if the details are missing. */
export function strangersIn({ kind, id }: Thing, spine: Spine, details: Details): string[] | undefined {
  if (kind === "team") return namesOf("user", details.teams.get(id)?.keys(), spine);
  if (kind === "site") return namesOf("space", details.sites.get(id), spine);
  const grants: Grants | undefined = details.grants.get(contentKey(kind, id));
  if (grants === undefined) return undefined;
  return [
    ...(namesOf("user", grants.users.keys(), spine) ?? []),
    ...(namesOf("team", grants.teams.keys(), spine) ?? []),
  ];
}

function namesOf(
  kind: "user" | "team" | "space",
  ids: Iterable<string> | undefined,
  spine: Spine,
): string[] | undefined {
  const there = { user: spine.members, team: spine.teams, space: spine.spaces }[kind];
  return ids === undefined ? undefined : [...ids].filter((id) => !there.has(id)).map((id) => `${kind}/${id}`);
}

/** Contents whose ancestors are missing or form a cycle, because they were moved during the pull. */
export function adrift({ spaces, collections }: Spine): string[] {
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

/** All items of the spine, as `kind/id`. */
export function idsOn(spine: Spine): Set<string> {
  return new Set([
    ...[...spine.members.keys()].map((id) => `user/${id}`),
    ...thingsOn(spine).map(({ kind, id }) => `${kind}/${id}`),
  ]);
}
