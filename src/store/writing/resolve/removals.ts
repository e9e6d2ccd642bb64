/** Finds the dependents that are removed with a record, or prevent its removal (docs/changes.md). */
import { type ContentKey, kindOf } from "../../../domain/content.ts";
import {
  contentIn,
  keyOfRecord,
  type RecordChange,
  type RecordKind,
  type RecordNames,
} from "../../../domain/record-change.ts";
import { listIn, MEMBERSHIP, PERMISSION, valueIn } from "../../../model/lists.ts";
import { findContent, findSite, findTeam, keyOf, memberId, type Model } from "../../../model/model.ts";
import { ROLE } from "../../../model/code.ts";
import { spacesOfSite } from "../../../model/spaces.ts";
import { modelOf } from "../../models.ts";
import type { Reading } from "../../reading.ts";
import { recordsOfMembers, type StoredRecord, type StoredTexts } from "../../rows/look-up.ts";
import { type Edit, type Edits, type Fault, fieldOf, referencesOf } from "./edits.ts";

/** How messages count dependents. */
const DEPENDENTS: Readonly<Partial<Record<RecordKind, string>>> = {
  teamMember: "team membership",
  permission: "permission",
  siteSpace: "site link",
};
const INSIDE = "content inside";

/**
 * Looks up the dependents of all records that the file removes. If the file has an edit of a dependent, this edit
 * decides. Any other dependent is removed if one of its owners has `"with":"all"`. Otherwise each of its owners gets a
 * fault with the number of such dependents.
 */
export async function resolveRemovals(
  reading: Reading,
  edits: Edits,
  stored: StoredTexts,
): Promise<{ readonly along: readonly RecordChange[]; readonly faults: Fault[] }> {
  const removed = [...edits.all].filter(
    (edit) => edit.becomes === undefined && stored.has(keyOfRecord(edit)),
  );
  const along: RecordChange[] = [];
  const counts = new Map<Edit, Map<string, number>>();
  const countOn = (owner: Edit, what: string) => {
    const counted = counts.get(owner) ?? new Map<string, number>();
    counts.set(owner, counted.set(what, (counted.get(what) ?? 0) + 1));
  };
  // Rows say what their own lists name, but not whose lists name them.
  const needsModel = removed.some(({ kind }) => ["team", "collection", "space", "site"].includes(kind));
  const model = needsModel ? await modelOf(reading) : undefined;
  for (const dependent of (await dependentsOf(reading, model, removed)).values()) {
    if (edits.get(dependent) !== undefined) continue;
    const owners = referencesOf(dependent)
      .flatMap(({ names }) => edits.get(names) ?? [])
      .filter(({ becomes }) => becomes === undefined);
    if (owners.some(({ withAll }) => withAll)) along.push(dependent);
    else for (const owner of owners) countOn(owner, DEPENDENTS[dependent.kind] ?? dependent.kind);
  }
  for (const owner of removed) {
    if (owner.kind !== "collection" || model === undefined) continue;
    for (const content of inside(model, contentIn(owner)))
      if (edits.get({ kind: kindOf(content), content }) === undefined) countOn(owner, INSIDE);
  }
  return { along, faults: [...counts].flatMap(([owner, held]) => faultsOf(owner, held)) };
}

function faultsOf(owner: Edit, counts: ReadonlyMap<string, number>): Fault[] {
  const { line } = owner;
  const { field, value } = fieldOf(owner);
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

/** All records that refer to removed ones, by their keys, as changes that remove them. */
async function dependentsOf(
  reading: Reading,
  model: Model | undefined,
  removed: readonly Edit[],
): Promise<Map<string, RecordChange>> {
  const found = new Map<string, RecordChange>();
  const add = (records: Iterable<StoredRecord>) => {
    for (const { says, ...names } of records)
      found.set(keyOfRecord(names), { ...names, was: says, becomes: undefined });
  };
  const of = (...kinds: readonly RecordKind[]) => removed.filter(({ kind }) => kinds.includes(kind));
  const members = of("member").map(({ member = "" }) => member);
  add(await recordsOfMembers(reading, members));
  if (model !== undefined) {
    for (const { team = "" } of of("team")) add(recordsOfTeam(model, team));
    for (const edit of of("collection", "space")) add(recordsOfContent(model, contentIn(edit)));
    for (const { site = "" } of of("site")) add(recordsOfSite(model, site));
    add(linksTo(model, of("space").map(contentIn)));
  }
  return found;
}

/** The memberships and the permissions of a team. */
function* recordsOfTeam(model: Model, id: string): Generator<StoredRecord> {
  const team = findTeam(model, id);
  if (team === undefined) return;
  for (const x of listIn(model.teams.members, team)) {
    const isOwner = valueIn(model.members.teams, x, team, MEMBERSHIP) === 1;
    yield { kind: "teamMember", team: id, member: memberId(model, x), says: isOwner ? "owner" : "member" };
  }
  for (const entry of listIn(model.teams.permissions, team)) {
    const content = keyOf(model, entry >>> PERMISSION);
    yield { kind: "permission", team: id, content, says: String(entry & ROLE) };
  }
  for (const [index, site] of model.sites.ids.entries()) {
    for (const entry of listIn(model.sites.teams, index))
      if (entry >>> PERMISSION === team)
        yield { kind: "permission", team: id, site, says: String(entry & ROLE) };
  }
}

/** The permissions on a content. */
function* recordsOfContent(model: Model, content: ContentKey): Generator<StoredRecord> {
  const x = findContent(model, content);
  if (x !== undefined) yield* permissionsOf(model, model.contents, x, { kind: "permission", content });
}

/** The links and the permissions of a site. */
function* recordsOfSite(model: Model, id: string): Generator<StoredRecord> {
  const site = findSite(model, id);
  if (site === undefined) return;
  for (const space of spacesOfSite(model, site))
    yield { kind: "siteSpace", site: id, content: keyOf(model, space), says: "" };
  yield* permissionsOf(model, model.sites, site, { kind: "permission", site: id });
}

/** The permissions on content or site `x`. */
function* permissionsOf(
  model: Model,
  { users, teams }: Pick<Model["contents"], "users" | "teams">,
  x: number,
  on: RecordNames,
): Generator<StoredRecord> {
  for (const entry of listIn(users, x))
    yield { ...on, member: memberId(model, entry >>> PERMISSION), says: String(entry & ROLE) };
  for (const entry of listIn(teams, x))
    yield { ...on, team: model.teams.ids[entry >>> PERMISSION] ?? "", says: String(entry & ROLE) };
}

/** The links of sites to some spaces. */
function* linksTo(model: Model, spaces: readonly ContentKey[]): Generator<StoredRecord> {
  const keys = new Map(spaces.map((content) => [findContent(model, content), content]));
  for (const [index, site] of model.sites.ids.entries()) {
    for (const space of spacesOfSite(model, index)) {
      const content = keys.get(space);
      if (content !== undefined) yield { kind: "siteSpace", site, content, says: "" };
    }
  }
}

/** What is directly inside a collection. */
function* inside(model: Model, collection: ContentKey): Generator<ContentKey> {
  const x = findContent(model, collection);
  if (x === undefined) return;
  const { ends } = model.contents;
  for (let child = x + 1; child < (ends[x] ?? 0); child = ends[child] ?? Infinity) yield keyOf(model, child);
}
