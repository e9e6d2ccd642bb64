/** The heads of the sets of users with a direct permission on a content. */
import type { ContentKey } from "../../domain/content.ts";
import { type Role, ROLES } from "../../domain/role.ts";
import { EMPTY, type Head, isEmpty } from "../../sets/head.ts";
import type { CacheKind } from "../cache.ts";
import type { Reading } from "../reading.ts";
import { MEMBERS, memberSets } from "../schema/set-names.ts";
import { headsOf } from "../sets/containers.ts";
import { seeChanges } from "./changes.ts";

/** The heads that are not empty, weakest role first. */
export type DirectHeads = ReadonlyMap<Role, Head>;

const KIND: CacheKind<DirectHeads> = {
  name: "direct",
  bytes: (heads) =>
    [...heads.values()].reduce(
      (sum, head) => sum + 200 + ("chunks" in head ? head.chunks : head.positions).byteLength,
      100,
    ),
  // A new member may divide a chunk, and then the positions of others change.
  isTouched: (_, content, { members, given }) => members.length > 0 || given.has(content),
};

/**
 * The heads of the users with a direct permission on the given contents. `read` has the heads that were already read, by
 * the name of the set.
 */
export async function directHeads(
  reading: Reading,
  contents: Iterable<ContentKey>,
  read?: ReadonlyMap<string, Head>,
): Promise<ReadonlyMap<ContentKey, DirectHeads>> {
  await seeChanges(reading);
  const { cache, at } = reading;
  const found = new Map<ContentKey, DirectHeads>();
  const missing: ContentKey[] = [];
  for (const content of contents) {
    const known = cache.get(KIND, at, content);
    if (known === undefined) missing.push(content);
    else found.set(content, known);
  }
  if (missing.length === 0) return found;
  const names = missing.flatMap((content) => ROLES.map((role) => memberSets.given(content, role)));
  const heads = read ? names.map((name) => read.get(name) ?? EMPTY) : await headsOf(reading, MEMBERS, names);
  for (const [index, content] of missing.entries()) {
    const own = new Map<Role, Head>();
    for (const [place, role] of ROLES.entries()) {
      const head = heads[index * ROLES.length + place];
      if (head !== undefined && !isEmpty(head)) own.set(role, head);
    }
    found.set(content, own);
    cache.keep(KIND, at, content, own);
  }
  return found;
}
