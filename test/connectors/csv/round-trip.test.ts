/**
 * An organization that is written as spreadsheets, converted and imported keeps every effective role. Tested with Acme
 * and with random organizations.
 */
import * as fc from "fast-check";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { acme } from "../../examples/acme.ts";
import { organizations } from "../../oracle/random/organizations.ts";
import type { SnapshotRecord } from "../../oracle/records.ts";
import { sqlitePlace, World } from "../../world.ts";
import { convert, only } from "./sheets.ts";
import { effectiveRoles, effectiveSheets, ladderSheets } from "./written.ts";
import { holds } from "../../setup/property.ts";

const RUNS = Number(process.env.ROLEBOOK_TEST_RUNS ?? 30);

let world: World;
beforeAll(async () => (world = await World.open(sqlitePlace)));
afterAll(() => world.close());

/** Every effective role as the program lists it: content, user and role. */
async function listed(): Promise<string[][]> {
  const token = await world.token("acme");
  const contents = [...only(acme, "space"), ...only(acme, "collection")];
  const lists = contents.map(async ({ object, id }) => {
    const items = await world.walk(`/v1/${object}s/${id}/permissions/aggregate`, token);
    const entries: { user: { id: string }; permission: string }[] = JSON.parse(JSON.stringify(items));
    return entries.map(({ user, permission }) => [`${object}/${id}`, user.id, permission]);
  });
  return (await Promise.all(lists)).flat();
}

const inOrder = (rows: readonly string[][]) => rows.map((row) => row.join(" ")).sort();

describe("Acme", () => {
  const roles = inOrder(effectiveRoles(acme));

  test.each([
    ["its effective roles", effectiveSheets(acme)],
    ["its ladder", ladderSheets(acme)],
  ])("%s as CSV, converted and imported, are Acme's", async (_, sheets) => {
    const { records } = await convert(sheets);
    await world.import(records);
    expect(inOrder(await listed())).toEqual(roles);
    expect(roles.length).toBeGreaterThan(400);
  });

  test("permissions come back record by record, except what CSV cannot represent", async () => {
    const { records } = await convert(ladderSheets(acme));
    const sorted = (all: readonly SnapshotRecord[]) =>
      all.map((record) => JSON.stringify(carried(record))).sort();
    expect(sorted(records)).toEqual(sorted(acme));
  });
});

/** A record without the fields that CSV cannot carry; docs/csv.md lists them. */
function carried(record: SnapshotRecord): unknown {
  switch (record.object) {
    case "user":
      return [record.id, record.displayName, record.email];
    case "teamMember":
      return [record.team, record.user];
    case "team":
      return [record.id, record.title, Date.parse(record.createdAt)];
    case "collection":
      return [record.object, record.id, record.title, record.parent, record.defaultLevel ?? levelOf(record)];
    case "space":
      return [
        record.object,
        record.id,
        record.title,
        record.parent,
        levelOf(record),
        Date.parse(record.createdAt),
        Date.parse(record.updatedAt),
      ];
    default:
      return Object.entries(record).toSorted(([a], [b]) => (a < b ? -1 : 1));
  }
}

function levelOf({ defaultLevel }: { defaultLevel?: string | null }): string {
  return defaultLevel === undefined ? "inherit" : (defaultLevel ?? "closed");
}

describe("random organizations", () => {
  test.each([
    ["effective roles", effectiveSheets],
    ["ladder", ladderSheets],
  ])("keep every effective role by their %s", async (_, sheetsOf) => {
    await holds(
      fc.asyncProperty(organizations({ maxOrganizations: 1 }), async (records) => {
        const plain = named(records);
        const [{ id: organization } = { id: "" }] = only(plain, "organization");
        const { records: converted } = await convert({ ...sheetsOf(plain), organization });
        expect(inOrder(effectiveRoles(converted))).toEqual(inOrder(effectiveRoles(plain)));
      }),
      { numRuns: RUNS },
    );
  });
});

/**
 * Gives users ids that differ in more than case, and replaces blank titles, because spreadsheets cannot carry such
 * data.
 */
function named(records: readonly SnapshotRecord[]): SnapshotRecord[] {
  const people = new Map(only(records, "user").map(({ id }, index) => [id, `person ${index}`]));
  const renamed = records.map((record) => {
    const user = "user" in record && record.user !== undefined ? { user: people.get(record.user) } : {};
    const title = "title" in record && "id" in record ? { title: `Title of ${record.id}` } : {};
    const self =
      record.object === "user"
        ? { id: people.get(record.id), displayName: "Somebody", email: undefined }
        : {};
    return { ...record, ...title, ...user, ...self };
  });
  return JSON.parse(JSON.stringify(renamed));
}
