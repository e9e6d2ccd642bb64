/**
 * The rules of docs/scale.md for a database whose large tables are on other nodes, by generation: a statement reads
 * these tables only for one generation, which it names, and not together with tables on another node.
 */
import { expect } from "vitest";
import { applyChange } from "../../../../src/snapshot/changes/apply.ts";
import { readChange } from "../../../../src/snapshot/changes/read.ts";
import { type ImportOptions, RefusedImport, importFiles } from "../../../../src/snapshot/import.ts";
import { RecentChanges } from "../../../../src/store/writing/resolve/recent.ts";
import { GENERATION_TABLES } from "../../../../src/store/schema/tables.ts";
import { type SnapshotRecord, toLines } from "../../../oracle/records.ts";
import type { Run, Step } from "../../../postgres/explained.ts";
import type { World } from "../../../world.ts";
import { findingsIn } from "../../../findings.ts";
import { endpointShape } from "./endpoints.ts";
import { SHAPE, user } from "../../shape.ts";

const MEMBERS = 100;

/**
 * Runs every kind of import: with many and few changes, refused, with details. Then verifies; `damage` removes a team
 * membership.
 */
export async function importAll(world: World, damage: () => Promise<unknown>): Promise<void> {
  const all = endpointShape(MEMBERS);
  await world.import(all);
  const options = { allowRemovals: true, details: () => {} };
  const without = (gone: (record: SnapshotRecord) => boolean) => all.filter((record) => !gone(record));
  // A line is missing, so the import searches every table for its key.
  const isOne = (record: SnapshotRecord) =>
    record.object === "teamMember" && record.team === "small" && record.user === user(0);
  await world.import(without(isOne), { allowRemovals: true });
  // A few records of every kind differ.
  await streamed(world, all.map(renamed), options);
  // Most members are removed, with their memberships and permissions.
  const gone = new Set(Array.from({ length: MEMBERS / 2 }, (_, index) => user(2 * index + 1)));
  const fewer = without(
    (record) =>
      ("user" in record && gone.has(record.user ?? "")) ||
      (record.object === "user" && gone.has(record.id)) ||
      record.object === "site" ||
      record.object === "siteSpace" ||
      ("team" in record && record.team === "skew") ||
      (record.object === "team" && record.id === "skew"),
  ).map(raised);
  await expect(streamed(world, fewer, {})).rejects.toThrow(RefusedImport);
  await streamed(world, fewer, { ...options, isWhole: () => true });
  // Records of every kind are added, and a member whom a change removed.
  await removeMember(world, SHAPE, user(0));
  await streamed(world, [...all, ...ADDED], options);
  await damage();
  expect((await findingsIn(world.store, SHAPE)).map(({ table }) => table)).toEqual(["revision_row"]);
}

const [SPACE] = endpointShape(1).filter((record) => record.object === "space");
const ADDED: readonly SnapshotRecord[] = [
  { object: "collection", id: "added", organization: SHAPE, title: "Added" },
  ...(SPACE === undefined ? [] : [{ ...SPACE, id: "added", parent: "added" }]),
];

/** Removes a member by a change, whom a later import may bring back. */
export function removeMember(world: World, organization: string, id: string): Promise<void> {
  return applied(world, organization, [
    { object: "member", organization, user: id, removed: true, with: "all" },
  ]);
}

/** Applies a change file. */
export async function applied(world: World, organization: string, records: readonly object[]): Promise<void> {
  const lines = [{ object: "changes", organization }, ...records];
  const text = lines.map((record) => `${JSON.stringify(record)}\n`).join("");
  const change = await readChange(world.file(text, "change.ndjson"), false, () => {});
  const recent = new RecentChanges(3_600_000);
  await applyChange(world.store.engine, change, { dryRun: false, recent });
}

/** Imports a stream. It can be read only once, so all of its records are compared. */
function streamed({ store }: World, records: readonly SnapshotRecord[], options: ImportOptions) {
  const pieces = (async function* () {
    yield toLines(records);
  })();
  return importFiles(store.engine, [{ name: "a stream", pieces }], options);
}

function renamed(record: SnapshotRecord): SnapshotRecord {
  if (record.object === "user" && record.id === user(2)) return { ...record, displayName: "Somebody else" };
  if (record.object === "space" && record.id === "wide") return { ...record, title: "Wider" };
  return record;
}

/** Makes members and guests admins, and opens closed contents. */
function raised(record: SnapshotRecord): SnapshotRecord {
  if (record.object === "member") return { ...record, role: "admin" };
  if (record.object === "collection" && record.id === "closed") return { ...record, defaultLevel: "read" };
  return record;
}

const LARGE: ReadonlySet<string> = new Set(GENERATION_TABLES);

function isLarge({ table }: Step): boolean {
  return table !== undefined && LARGE.has(table);
}

/** How a statement that reads or writes a large table violates the rules; empty if it does not. */
export function faultsOf({ steps }: Run): string[] {
  const isWriting = ({ type }: Step) => type === "ModifyTable";
  const large = steps.filter((step) => isLarge(step) && !isWriting(step));
  const others = steps.filter(({ table }) => table !== undefined && !LARGE.has(table));
  const faults: string[] = [];
  const fetched = steps.find((step) => isWriting(step) && !isLarge(step))?.table;
  const read = others.filter(({ table }) => table !== fetched);
  if (large.length > 0 && read.length > 0) {
    faults.push(`${large[0]?.table} is read together with ${read[0]?.table}`);
  }
  if (fetched !== undefined && large.length > 0 && !fetched.startsWith("stored_")) {
    faults.push(`${fetched} is written from ${large[0]?.table}`);
  }
  const generations = large.map(({ table, condition, filter }) => {
    const [, named] = /\bgeneration = '?(\$?\d+)/.exec(`${condition} ${filter}`) ?? [];
    if (named === undefined) faults.push(`${table} is read of no generation by name: ${condition} ${filter}`);
    return named;
  });
  if (new Set(generations).size > 1) faults.push(`it reads the generations ${generations.join(", ")}`);
  return faults;
}
