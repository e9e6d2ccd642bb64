/** Finds the dependents that are removed with a record, or prevent its removal (docs/changes.md). */
import { contentKey, idOf, kindOf } from "../../../domain/content.ts";
import { rank } from "../../../domain/role.ts";
import { EMPTY } from "../../../sets/head.ts";
import { statement } from "../../engine/engine.ts";
import { holds } from "../../schema/as-of.ts";
import type { Reading } from "../../reading.ts";
import { decodeContent } from "../../schema/encoding.ts";
import {
  contentIn,
  keyOfRecord,
  type RecordChange,
  type RecordKind,
  type RecordNames,
} from "../../../domain/record-change.ts";
import { MEMBERS, memberSets } from "../../schema/set-names.ts";
import { headsOf } from "../../sets/containers.ts";
import { childrenOf } from "../../directory/below.ts";
import { type Content, contents } from "../../directory/contents.ts";
import { directPermissions } from "../../directory/members.ts";
import { spacesOfSite } from "../../directory/sites.ts";
import { type Edit, type Edits, type Fault, fieldOf, referencesOf } from "./edits.ts";
import { ofMember, positionsIn, type StoredTexts } from "./stored.ts";

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
  for (const dependent of (await dependentsOf(reading, removed)).values()) {
    if (edits.get(dependent) !== undefined) continue;
    const owners = referencesOf(dependent)
      .flatMap(({ names }) => edits.get(names) ?? [])
      .filter(({ becomes }) => becomes === undefined);
    if (owners.some(({ withAll }) => withAll)) along.push(dependent);
    else for (const owner of owners) countOn(owner, DEPENDENTS[dependent.kind] ?? dependent.kind);
  }
  const collections = removed.filter(({ kind }) => kind === "collection");
  for (const { content: child, parent } of await childrenOf(reading, collections.map(contentIn))) {
    const owner = edits.get({ kind: "collection", content: parent });
    if (owner !== undefined && edits.get({ kind: kindOf(child), content: child }) === undefined) {
      countOn(owner, INSIDE);
    }
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
async function dependentsOf(reading: Reading, removed: readonly Edit[]): Promise<Map<string, RecordChange>> {
  const found = new Map<string, RecordChange>();
  const add: Add = (record) =>
    found.set(keyOfRecord(record), { ...record, was: String(record.was), becomes: undefined });
  const of = (...kinds: readonly RecordKind[]) => removed.filter(({ kind }) => kinds.includes(kind));
  const removedContents = of("collection", "space").map(contentIn);
  await onMembers(
    reading,
    of("member").map(({ member = "" }) => member),
    add,
  );
  for (const { team = "" } of of("team")) await onTeam(reading, team, add);
  const loaded = await contents(reading, removedContents);
  for (const content of removedContents.flatMap((key) => loaded.get(key) ?? [])) {
    await onContent(reading, content, add);
  }
  await onSites(
    reading,
    of("site").map(({ site = "" }) => site),
    removedContents.filter((key) => kindOf(key) === "space").map(idOf),
    add,
  );
  return found;
}

type Add = (record: RecordNames & { readonly was: string | number }) => void;

const TEAMS_OF = statement<[member: string, team: string, role: string]>(({ texts }) =>
  ofMember("wanted.value, r.team, r.role", texts("$3", "wanted"), "team_member"),
);

async function onMembers(reading: Reading, members: readonly string[], add: Add): Promise<void> {
  if (members.length === 0) return;
  for (const [member, team, role] of await reading.read(TEAMS_OF, ...reading.asOf, members)) {
    add({ kind: "teamMember", team, member, was: role });
  }
  for (const [member, direct] of await directPermissions(reading, members)) {
    for (const [content, role] of direct) add({ kind: "permission", content, member, was: rank(role) });
  }
}

const MEMBERS_OF = statement<[member: string, role: string]>(
  ({ numbers }) => `
    SELECT m.id, tm.role FROM ${numbers("$4", "wanted")} CROSS JOIN team_member tm CROSS JOIN member m
      WHERE ${holds("tm")} AND tm.position = wanted.value AND tm.team = $3
        AND ${holds("m")} AND m.position = wanted.value`,
);
const GRANTED_TO = statement<[content: string, role: number]>(
  ({ by }) => `
    SELECT g.content, g.role FROM team_grant g${by("team_grant_of_team")} WHERE ${holds("g")} AND g.team = $3`,
);

async function onTeam(reading: Reading, team: string, add: Add): Promise<void> {
  const set = memberSets.ofTeam(team);
  const [head = EMPTY] = await headsOf(reading, MEMBERS, [set]);
  const positions = await positionsIn(reading, set, head);
  for (const [member, role] of await reading.read(MEMBERS_OF, ...reading.asOf, team, positions)) {
    add({ kind: "teamMember", team, member, was: role });
  }
  for (const [content, role] of await reading.read(GRANTED_TO, ...reading.asOf, team)) {
    add({ kind: "permission", content: decodeContent(content), team, was: role });
  }
}

const GIVEN_ON = statement<[member: string, role: number]>(
  ({ numbers }) => `
    SELECT m.id, g.role FROM ${numbers("$4", "wanted")} CROSS JOIN user_grant g CROSS JOIN member m
      WHERE ${holds("g")} AND g.position = wanted.value AND g.content = $3
        AND ${holds("m")} AND m.position = wanted.value`,
);
async function onContent(reading: Reading, { content, teams, direct }: Content, add: Add): Promise<void> {
  const positions: number[] = [];
  for (const [role, head] of direct) {
    for (const each of await positionsIn(reading, memberSets.given(content, role), head))
      positions.push(each);
  }
  for (const [member, role] of await reading.read(GIVEN_ON, ...reading.asOf, content, positions)) {
    add({ kind: "permission", content, member, was: role });
  }
  for (const [team, role] of teams) add({ kind: "permission", content, team, was: rank(role) });
}

const SITES_WITH = statement<[site: string, space: string]>(
  ({ texts }) => `
    SELECT l.site, l.space FROM site s CROSS JOIN ${texts("$3", "wanted")} CROSS JOIN site_space l
      WHERE ${holds("s")} AND ${holds("l")} AND l.site = s.id AND l.space = wanted.value`,
);

async function onSites(
  reading: Reading,
  sites: readonly string[],
  spaces: readonly string[],
  add: Add,
): Promise<void> {
  for (const site of sites) {
    for (const content of (await spacesOfSite(reading, site)) ?? []) {
      add({ kind: "siteSpace", site, content, was: "" });
    }
  }
  const rows = spaces.length === 0 ? [] : await reading.read(SITES_WITH, ...reading.asOf, spaces);
  for (const [site, space] of rows) {
    add({ kind: "siteSpace", site, content: contentKey("space", space), was: "" });
  }
}
