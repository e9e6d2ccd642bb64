/** What is wrong between the records of whole files is said as the import says it that compares staged tables. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { importFiles } from "../../src/snapshot/import.ts";
import { readWholeFiles } from "../../src/snapshot/whole-file.ts";
import { BASE } from "../hostile/input/refusing.ts";
import { organizations } from "../oracle/random/organizations.ts";
import { type SnapshotRecord, toLines } from "../oracle/records.ts";
import { sqlitePlace, World } from "../world.ts";
import { holds } from "../setup/property.ts";

const RUNS = 5 * Number(process.env.ROLEBOOK_TEST_RUNS ?? 10);

/** How a record is damaged: each by another record, which lends its ids. */
const DAMAGES: readonly ((record: SnapshotRecord, other: SnapshotRecord) => SnapshotRecord[])[] = [
  () => [],
  (record) => [record, record],
  (record, other) => [record, lent(record, "organization", other)],
  (record, other) => [lent(record, "organization", other)],
  (record, other) => [lent(record, "user", other, "id")],
  (record, other) => [lent(record, "team", other, "id")],
  (record, other) => [lent(record, "space", other, "id")],
  (record, other) => [lent(record, "id", other)],
  (record, other) => [record, lent(record, "id", other)],
  (record, other) => [lent(record, "parent", other, "id")],
  (record) => ("organization" in record ? [{ ...record, organization: "nowhere" }] : [record]),
  (record) => (record.object === "user" ? [record, { ...record, displayName: "Another" }] : [record]),
];

/** A record with a field of another one, if both have it. */
function lent<Lender extends SnapshotRecord>(
  record: Lender,
  field: string,
  other: SnapshotRecord,
  from = field,
): Lender {
  const value = Object.entries(other).find(([name]) => name === from)?.[1];
  return Object.hasOwn(record, field) && typeof value === "string" ? { ...record, [field]: value } : record;
}

const DRY = { dryRun: true, allowEmpty: true, allowRemovals: true };
const damage = fc.record({ at: fc.nat(1000), by: fc.nat(1000), how: fc.nat(DAMAGES.length - 1) });
const SIZES = { maxOrganizations: 2, minMembers: 1, maxMembers: 8, minContents: 2, maxContents: 10 };

test("damaged files are refused in the same words", async () => {
  const world = await World.open(sqlitePlace);
  try {
    await holds(
      fc.asyncProperty(
        organizations(SIZES),
        fc.array(damage, { minLength: 1, maxLength: 30 }),
        fc.nat(1000),
        async (records, damages, cut) => {
          let damaged = records;
          for (const { at, by, how } of damages) {
            const place = at % Math.max(1, damaged.length);
            const [record, other] = [damaged[place], damaged[by % Math.max(1, damaged.length)]];
            if (record === undefined || other === undefined) continue;
            damaged = damaged.toSpliced(place, 1, ...(DAMAGES[how]?.(record, other) ?? []));
          }
          const middle = cut % (damaged.length + 1);
          await refusedAlike(world, damaged.slice(0, middle), damaged.slice(middle));
        },
      ),
      { numRuns: RUNS },
    );
  } finally {
    await world.close();
  }
});

/** Returns with which words files are refused, whichever way they are read. */
async function refusedAlike(world: World, ...parts: readonly (readonly SnapshotRecord[])[]): Promise<string> {
  const files = parts.map((part, index) => world.file(toLines(part), `${index}.ndjson`));
  const expected = await refusalOf(importFiles(world.store.engine, files, DRY));
  expect(await refusalOf(readWholeFiles(files))).toBe(expected);
  return expected;
}

const FIELDS = [
  "collection.id",
  "collection.organization",
  "collection.parent",
  "member.organization",
  "member.user",
  "organization.id",
  "permission.collection",
  "permission.space",
  "permission.team",
  "permission.user",
  "site.id",
  "site.organization",
  "siteSpace.site",
  "siteSpace.space",
  "space.id",
  "space.organization",
  "space.parent",
  "team.id",
  "team.organization",
  "teamMember.team",
  "teamMember.user",
  "user.id",
];

const NESTED: readonly SnapshotRecord[] = [
  ...BASE,
  { object: "collection", id: "inner", organization: "o", title: "Inner", parent: "c" },
];

test("each field that names a record, or is named, is refused in the same words", async () => {
  const world = await World.open(sqlitePlace);
  try {
    for (const each of FIELDS) {
      const [object = "", field = ""] = each.split(".");
      const at = NESTED.findIndex((record) => record.object === object && Object.hasOwn(record, field));
      // A second record of the same id is refused; of a user, if it says something else.
      const other = object === "user" ? { displayName: "Another" } : { title: "Another" };
      const broken = Object.assign({}, NESTED[at], field === "id" ? other : { [field]: "nowhere" });
      const kept = field === "id" ? NESTED : NESTED.toSpliced(at, 1);
      expect(await refusedAlike(world, kept, [broken])).toContain(`: ${each} is `);
    }
  } finally {
    await world.close();
  }
});

test.each([
  ["a tower that is too high, and one that is a cycle", tower(40, 35), "nested at most 32 deep"],
  ["a cycle", tower(20, 5), "without a cycle"],
  ["no organization", [], "there is no organization record"],
])("%s is refused in the same words", async (_, records, message) => {
  const world = await World.open(sqlitePlace);
  try {
    expect(await refusedAlike(world, records)).toContain(message);
  } finally {
    await world.close();
  }
});

/** Collections inside each other, and others that are inside each other in a circle. */
function tower(height: number, circle: number): SnapshotRecord[] {
  const collection = (id: string, parent: string | undefined): SnapshotRecord => ({
    object: "collection",
    id,
    organization: "o",
    title: id,
    ...(parent === undefined ? {} : { parent }),
  });
  const levels = Array.from({ length: height }, (_, level) => level);
  return [
    { object: "organization", id: "o", title: "O" },
    ...levels.map((level) => collection(`c${level}`, level === 0 ? undefined : `c${level - 1}`)),
    ...levels.slice(0, circle).map((level) => collection(`r${level}`, `r${(level + 1) % circle}`)),
  ];
}

async function refusalOf(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => "",
    (error: unknown) => (error instanceof Error ? error.message : String(error)),
  );
}
