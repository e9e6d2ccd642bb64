import * as fc from "fast-check";
import { expect, test } from "vitest";
import { applyChange } from "../../../src/snapshot/changes/apply.ts";
import { readChange } from "../../../src/snapshot/changes/read.ts";
import { importFiles } from "../../../src/snapshot/import.ts";
import { isKind, RECORDS } from "../../../src/snapshot/records.ts";
import { exportedLines } from "../../exported.ts";
import { organizationIds } from "../../oracle/facts.ts";
import { ownRecords } from "../../oracle/files/change-file.ts";
import { oracle } from "../../oracle/oracle.ts";
import { organizations } from "../../oracle/random/organizations.ts";
import { respelled } from "../../oracle/random/respelled.ts";
import { type SnapshotRecord, toLines } from "../../oracle/records.ts";
import { type OpenPlace, PUBLIC_URL, World } from "../../world.ts";
import { compareAll } from "../listings/listings.ts";
import { revision } from "../writing/imports.ts";
import { holds } from "../../setup/property.ts";

const SIZES = { maxOrganizations: 1, minMembers: 1, minContents: 2 };
const MEANT = { allowEmpty: true, allowRemovals: true };

/** The same records in another spelling are the same: no field's place, escape, offset or default makes a difference. */
export function exerciseRespelling(open: OpenPlace, runs: number): void {
  test("a whole file and a change file in another spelling change nothing", async () => {
    await holds(
      fc.asyncProperty(organizations(SIZES), fc.nat(), async (records, seed) => {
        const world = await World.open(open);
        try {
          const [id = ""] = organizationIds(records);
          const own = ownRecords(records, id);
          await importFiles(world.store.engine, [world.file(toLines(own))], MEANT);
          const before = { lines: await exportedLines(world.store, id), revision: await revision(world, id) };
          for (const text of [respelled(own, seed, 0.3), respelled(own, seed)]) {
            const { changed } = await importFiles(world.store.engine, [world.file(text)], MEANT);
            expect({ text, changed }).toEqual({ text, changed: false });
          }
          const text = `${JSON.stringify({ object: "changes", organization: id })}\n${respelled(own, seed)}`;
          const change = await readChange(world.file(text), false, () => {});
          const { changed, kinds } = await applyChange(world.store.engine, change, {});
          expect({ text, changed }).toEqual({ text, changed: false });
          expect(Object.values(kinds).reduce((sum, { unchanged }) => sum + unchanged, 0)).toBe(own.length);
          const after = { lines: await exportedLines(world.store, id), revision: await revision(world, id) };
          expect(after).toEqual(before);
        } finally {
          await world.close();
        }
      }),
      { numRuns: runs },
    );
  });

  test("answers and exports do not depend on the spelling; each exported record has the order of the schema", async () => {
    await holds(
      fc.asyncProperty(organizations(SIZES), fc.nat(), async (records, seed) => {
        const [world, other] = [await World.open(open), await World.open(open)];
        try {
          const [id = ""] = organizationIds(records);
          const own = ownRecords(records, id);
          await importFiles(world.store.engine, [world.file(toLines(own))], MEANT);
          // Repeats of a user and users who are no members are in these files, too.
          await importFiles(other.store.engine, [other.file(respelled(records, seed))], MEANT);
          const lines = await exportedLines(world.store, id);
          expect(await exportedLines(other.store, id)).toEqual(lines);
          for (const line of lines) expect(line).toBe(inSchemaOrder(line));
          expect(await bodies(other, id, own)).toEqual(await bodies(world, id, own));
          await compareAll(other, own, [1000]);
        } finally {
          await world.close();
          await other.close();
        }
      }),
      { numRuns: runs },
    );
  });
}

/** The texts of all listings. */
async function bodies(world: World, id: string, records: readonly SnapshotRecord[]): Promise<string[]> {
  const asked = oracle(records, { publicUrl: PUBLIC_URL });
  const token = await world.token(id);
  const found: string[] = [];
  for (const listing of asked.listings(id)) {
    const path = asked.path(id, listing);
    const { body } = await world.get(`${path}${path.includes("?") ? "&" : "?"}limit=1000`, token);
    found.push(body);
  }
  return found;
}

type Fields = Readonly<Record<string, unknown>>;

/** A line with its fields in the order of the declarations. */
function inSchemaOrder(line: string): string {
  const record: Fields = JSON.parse(line);
  if (!isKind(record.object)) throw new Error(line);
  return JSON.stringify(inOrder(record, RECORDS[record.object].properties));
}

function inOrder(fields: Fields, declared: Fields): Fields {
  return Object.fromEntries(
    Object.entries(declared).flatMap(([name, schema]): [string, unknown][] => {
      const value = fields[name];
      if (value === undefined) return [];
      if (!isFields(value) || !isFields(schema) || !isFields(schema.properties)) return [[name, value]];
      return [[name, inOrder(value, schema.properties)]];
    }),
  );
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null;
}
