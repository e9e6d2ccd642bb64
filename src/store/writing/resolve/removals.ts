/** Finds the dependents that are removed with a record, or prevent its removal (contract, section 11). */
import type { Reading } from "../../reading.ts";
import { type ContentKey, contentKey, idOf, kindOf } from "../../../domain/content.ts";
import { decodeContent } from "../../schema/encoding.ts";
import type { Edits, FileEntry } from "./edits.ts";
import type { Fault } from "./checks/fault.ts";
import { type Dependents, dependentsOf } from "./lookup/dependents.ts";
import type { Present } from "./lookup/mentioned.ts";
import { namesOf, type Pair } from "./pair.ts";

/** Dependents that are removed with their owner. */
export type RemovedDependents = Omit<Dependents, "children">;

interface Owner {
  readonly said: FileEntry<unknown>;
  readonly field: string;
  readonly value: string;
}

/** The number of dependents of one removed record, by kind. */
type Counts = Map<string, number>;

/**
 * Looks up the dependents of all records that the file removes. If the file has an entry for a dependent, this entry
 * decides. Any other dependent is removed if one of its owners has `"with":"all"`. Otherwise each of its owners gets a
 * fault with the number of such dependents.
 */
export async function resolveRemovals(
  at: Reading,
  edits: Edits,
  present: Present,
): Promise<{ readonly along: RemovedDependents; readonly faults: Fault[] }> {
  const dependents = await dependentsOf(at, {
    members: gone(edits.members, present.members),
    teams: gone(edits.teams, present.teams),
    contents: gone(edits.contents, present.contents),
    sites: gone(edits.sites, present.sites),
  });
  const along: RemovedDependents = {
    teamMembers: new Map(),
    siteSpaces: new Map(),
    userGrants: new Map(),
    teamGrants: new Map(),
  };
  const counts = new Map<Owner["said"], { readonly owner: Owner; readonly counts: Counts }>();
  const countOn = (owner: Owner, what: string) => {
    const counted = counts.get(owner.said) ?? { owner, counts: new Map() };
    counts.set(owner.said, counted);
    counted.counts.set(what, (counted.counts.get(what) ?? 0) + 1);
  };
  const member = (id: string) => removedOwner(edits.members, id, "member.user", id);
  const team = (id: string) => removedOwner(edits.teams, id, "team.id", id);
  const site = (id: string) => removedOwner(edits.sites, id, "site.id", id);
  const content = (key: ContentKey) => removedOwner(edits.contents, key, `${kindOf(key)}.id`, idOf(key));

  function sort<Stored>(
    found: ReadonlyMap<Pair, Stored>,
    said: ReadonlyMap<Pair, unknown>,
    going: Map<Pair, Stored>,
    what: string,
    ownersOf: (first: string, second: string) => readonly (Owner | undefined)[],
  ): void {
    for (const [pair, stored] of found) {
      if (said.has(pair)) continue;
      const owners = ownersOf(...namesOf(pair)).filter((owner) => owner !== undefined);
      if (owners.some((owner) => owner.said.withAll)) going.set(pair, stored);
      else for (const owner of owners) countOn(owner, what);
    }
  }
  sort(dependents.teamMembers, edits.teamMembers, along.teamMembers, "team membership", (a, b) => [
    team(a),
    member(b),
  ]);
  sort(dependents.userGrants, edits.userGrants, along.userGrants, "permission", (a, b) => [
    content(decodeContent(a)),
    member(b),
  ]);
  sort(dependents.teamGrants, edits.teamGrants, along.teamGrants, "permission", (a, b) => [
    content(decodeContent(a)),
    team(b),
  ]);
  sort(dependents.siteSpaces, edits.siteSpaces, along.siteSpaces, "site link", (a, b) => [
    site(a),
    content(contentKey("space", b)),
  ]);
  for (const { child, parent } of dependents.children) {
    const owner = content(parent);
    if (owner !== undefined && !edits.contents.has(child)) countOn(owner, INSIDE);
  }
  return { along, faults: [...counts.values()].flatMap(({ owner, counts: held }) => faultsOf(owner, held)) };
}

const INSIDE = "content inside";

/** The keys of existing records that the file removes. */
function gone<Key>(said: ReadonlyMap<Key, FileEntry<unknown>>, present: ReadonlyMap<Key, unknown>): Key[] {
  return [...said].flatMap(([key, { becomes }]) => (becomes === undefined && present.has(key) ? [key] : []));
}

function removedOwner<Key>(
  said: ReadonlyMap<Key, FileEntry<unknown>>,
  key: Key,
  field: string,
  value: string,
): Owner | undefined {
  const found = said.get(key);
  return found === undefined || found.becomes !== undefined ? undefined : { said: found, field, value };
}

function faultsOf({ said: { line }, field, value }: Owner, counts: Counts): Fault[] {
  const faults: Fault[] = [];
  const inside = counts.get(INSIDE) ?? 0;
  if (inside > 0) {
    const contents = inside === 1 ? "1 content lies" : `${inside} contents lie`;
    const accepted =
      'a collection whose contents this file moves or removes as well; "with":"all" takes none of them';
    faults.push({ line, field, value, note: `, in which ${contents}`, accepted });
  }
  const others = [...counts].filter(([what]) => what !== INSIDE);
  if (others.length > 0) {
    const records = others
      .map(([what, number]) => `${number} ${what}${number === 1 ? "" : "s"}`)
      .join(" and ");
    const note = `, on which ${records} ${others.length === 1 && others[0]?.[1] === 1 ? "depends" : "depend"}`;
    faults.push({
      line,
      field,
      value,
      note,
      accepted: '"with":"all" beside removed, or a removal of each of them',
    });
  }
  return faults;
}
