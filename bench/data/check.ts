/**
 * Checks a generated snapshot, independently of the generator: counts, unique ids and pairs, references, and every
 * special case. `node bench/data/check.ts --size M`.
 */
import assert from "node:assert/strict";
import { parseArgs } from "node:util";
import { landmarks, snapshotLines } from "../data.ts";
import { SIZES, parseSize } from "./sizes.ts";

type Row = Record<string, unknown>;

const { values } = parseArgs({
  options: { size: { type: "string", default: "S" }, seed: { type: "string", default: "1" } },
});
const size = parseSize(values.size);
const seed = Number(values.seed);
const marks = landmarks(size, seed);
const counts = SIZES[size];

const kinds = new Map<string, Map<string, Row>>();
const pairs = new Map<string, Set<string>>();
const roles = new Map<string, unknown>();
const teamsOf = new Map<string, string[]>();
const grantsOf = new Map<string, Map<string, string>>();
const spacesOfSite = new Map<string, string[]>();

const rows = (kind: string): Map<string, Row> => kinds.get(kind) ?? new Map<string, Row>();

function text(row: Row, field: string): string {
  const value = row[field];
  assert.ok(typeof value === "string", `${field} of ${JSON.stringify(row)}`);
  return value;
}

function named(kind: string, id: string): string {
  assert.ok(rows(kind).has(id), `${kind} ${id} does not exist`);
  return id;
}

function pair(kind: string, one: string, other: string): void {
  const seen = pairs.get(kind) ?? new Set<string>();
  pairs.set(kind, seen);
  assert.ok(!seen.has(`${one} ${other}`), `${kind} ${one} ${other} comes twice`);
  seen.add(`${one} ${other}`);
}

function push<V>(map: Map<string, V[]>, key: string, value: V): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [value]);
  else list.push(value);
}

function take(row: Row): void {
  const kind = text(row, "object");
  if (kind === "member") {
    roles.set(named("user", text(row, "user")), row["role"]);
    pair(kind, text(row, "organization"), text(row, "user"));
  } else if (kind === "teamMember") {
    pair(kind, named("team", text(row, "team")), named("user", text(row, "user")));
    push(teamsOf, text(row, "user"), text(row, "team"));
  } else if (kind === "siteSpace") {
    pair(kind, named("site", text(row, "site")), named("space", text(row, "space")));
    push(spacesOfSite, text(row, "site"), text(row, "space"));
  } else if (kind === "permission") {
    const on = row["space"] === undefined ? "collection" : "space";
    const to = row["user"] === undefined ? "team" : "user";
    const content = `${on} ${named(on, text(row, on))}`;
    const grantee = `${to} ${named(to, text(row, to))}`;
    pair(kind, content, grantee);
    const there = grantsOf.get(content) ?? new Map<string, string>();
    grantsOf.set(content, there.set(grantee, text(row, "permission")));
  } else {
    const known = rows(kind);
    kinds.set(kind, known);
    assert.ok(!known.has(text(row, "id")), `${kind} ${text(row, "id")} comes twice`);
    const keep = kind === "user" ? {} : { parent: row["parent"], defaultLevel: row["defaultLevel"] };
    known.set(text(row, "id"), keep);
  }
}

/** The collections above a content, nearest first. */
function above(row: Row | undefined): string[] {
  const parent = row?.["parent"];
  if (typeof parent !== "string") return [];
  return [named("collection", parent), ...above(rows("collection").get(parent))];
}

function grantedTo(grantee: string): string[] {
  return [...grantsOf].filter(([, there]) => there.has(grantee)).map(([content]) => content);
}

for await (const line of snapshotLines(size, seed)) take(JSON.parse(line));

assert.equal(rows("user").size, counts.members);
assert.equal(roles.size, counts.members);
assert.equal(rows("team").size, counts.teams);
assert.equal(rows("collection").size, counts.collections);
assert.equal(rows("space").size, counts.spaces);
assert.equal(rows("site").size, counts.sites);
assert.equal(pairs.get("teamMember")?.size, counts.teamMembers);
assert.equal(pairs.get("permission")?.size, counts.permissions);

const depths = [...rows("collection").values()].map((row) => above(row).length + 1);
assert.ok(
  Math.max(...depths) >= 3 && Math.max(...depths) <= 5,
  `collections nest ${Math.max(...depths)} deep`,
);

const half = [...rows("space").values()].filter((row) => above(row).includes(marks.halfCollection)).length;
assert.equal(half, counts.spaces / 2);

const on = (space: string): Map<string, string> =>
  grantsOf.get(`space ${space}`) ?? new Map<string, string>();
const levelOf = (space: string): unknown => rows("space").get(space)?.["defaultLevel"];
assert.equal(on(marks.manyTeamsSpace).size, counts.teams);
assert.equal(on(marks.manyTeamsOpenSpace).size, counts.teams);
assert.equal(on(marks.directSpace).size, counts.members / 5);
assert.equal(levelOf(marks.manyTeamsSpace), null);
assert.equal(levelOf(marks.directSpace), null);

const everyone = [...teamsOf].filter(([, teams]) => teams.includes(marks.everyoneTeam)).map(([user]) => user);
assert.equal(everyone.length, counts.members * 0.3);
const sparse = on(marks.sparse.space);
const keepers = everyone.filter((user) => !sparse.has(`user ${user}`) && roles.get(user) !== "admin");
assert.deepEqual(keepers.sort(), marks.sparse.keepers);
assert.equal(sparse.size, everyone.length - keepers.length + 1);
assert.equal(sparse.get(`team ${marks.everyoneTeam}`), marks.sparse.role);
assert.equal(levelOf(marks.sparse.space), null);

const siteSize = Math.min(500, counts.spaces / 4);
const openSite = spacesOfSite.get(marks.openSite) ?? [];
const closedSite = spacesOfSite.get(marks.closedSite) ?? [];
assert.equal(openSite.length, siteSize);
assert.equal(closedSite.length, siteSize);
assert.ok(closedSite.every((space) => levelOf(space) === null));
for (const space of openSite) {
  const levels = above(rows("space").get(space)).map((id) => rows("collection").get(id)?.["defaultLevel"]);
  assert.ok([levelOf(space), ...levels].every((level) => level === undefined || level === "inherit"));
}
for (const space of spacesOfSite.get(marks.guestSite) ?? []) {
  assert.equal(levelOf(space), null);
  for (const grantee of on(space).keys()) assert.equal(roles.get(grantee.slice(5)), null);
}

assert.equal(grantedTo(`user ${marks.heavyMember}`).length, counts.spaces / 10);
assert.equal(grantedTo(`user ${marks.guest}`).length, 3);
assert.deepEqual(grantedTo(`user ${marks.halfGuest}`), [`collection ${marks.halfCollection}`]);
for (const guest of [marks.guest, marks.halfGuest]) {
  assert.equal(roles.get(guest), null);
  assert.equal(teamsOf.get(guest), undefined);
}
assert.equal([...roles.values()].filter((role) => role === "admin").length, counts.members / 1_000);

console.log(`${size}, seed ${seed}: ${pairs.get("permission")?.size} permissions, every check holds`);
