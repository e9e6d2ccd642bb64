import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { publicUrl } from "../examples/examples.ts";
import { organizationIds } from "../facts.ts";
import { oracle } from "../oracle.ts";
import { byBytes } from "../order.ts";
import { evolve, histories, neighbouring, organizations } from "./organizations.ts";
import { ROLES, type SnapshotRecord, toLines } from "../records.ts";
import { violations } from "../files/validity.ts";

const dates = (records: readonly SnapshotRecord[]) =>
  new Map(
    records.flatMap((record) =>
      "createdAt" in record ? [[`${record.object} ${record.id}`, record.createdAt]] : [],
    ),
  );

const linesOf = (records: readonly SnapshotRecord[]) => toLines(records).split("\n").sort().join("\n");

describe("random organizations", () => {
  test("are valid imports, whatever the sizes", () => {
    const sizes = {
      maxOrganizations: 5,
      minMembers: 30,
      maxMembers: 60,
      minContents: 20,
      maxContents: 40,
      minPermissions: 100,
      maxPermissions: 200,
    };
    fc.assert(
      fc.property(organizations(), (records) => {
        expect(violations(records)).toStrictEqual([]);
      }),
      { numRuns: 500 },
    );
    fc.assert(
      fc.property(organizations(sizes), (records) => {
        expect(violations(records)).toStrictEqual([]);
      }),
      { numRuns: 10 },
    );
  });

  test("are plain JSON: the lines read back to the same records", () => {
    fc.assert(
      fc.property(organizations(), (records) => {
        const lines = toLines(records).split("\n").slice(0, -1);
        expect(lines.map((line): unknown => JSON.parse(line))).toStrictEqual(records);
      }),
    );
  });

  test("stay valid and keep their organizations, ids and creation dates when they evolve", () => {
    fc.assert(
      fc.property(histories({}, 3), (history) => {
        for (const [at, after] of history.entries()) {
          expect(violations(after)).toStrictEqual([]);
          const before = history[Math.max(at - 1, 0)] ?? after;
          expect(organizationIds(after).sort()).toStrictEqual(organizationIds(before).sort());
          const old = dates(before);
          for (const [thing, date] of dates(after)) expect(old.get(thing) ?? date).toBe(date);
        }
      }),
      { numRuns: 300 },
    );
  });

  test("differ after evolving, most of the time", () => {
    const samples = fc.sample(
      organizations().chain((records) => evolve(records).map((after) => linesOf(records) !== linesOf(after))),
      { numRuns: 200, seed: 1 },
    );
    expect(samples.filter(Boolean).length).toBeGreaterThan(150);
  });

  test("have valid neighbouring organizations that use many of the same ids", () => {
    let shared = 0;
    fc.assert(
      fc.property(neighbouring(), ([here, there]) => {
        expect(violations(there)).toStrictEqual([]);
        const mine = new Set(organizationIds(here));
        expect(organizationIds(there).filter((id) => mine.has(id))).toStrictEqual([]);
        const spaces = new Set(here.flatMap((record) => (record.object === "space" ? record.id : [])));
        shared += there.filter((record) => record.object === "space" && spaces.has(record.id)).length;
      }),
      { seed: 3 },
    );
    expect(shared).toBeGreaterThan(100);
  });
});

describe("the oracle on random organizations", () => {
  test("lists every listing that it names, each entry once and in order", () => {
    fc.assert(
      fc.property(organizations(), (records) => {
        const answers = oracle(records, { publicUrl });
        for (const organization of organizationIds(records)) {
          const listings = answers.listings(organization);
          const paths = new Set(listings.map((listing) => answers.path(organization, listing)));
          expect(paths.size).toBe(listings.length);
          for (const listing of listings) {
            expect(answers.may(organization, { kind: "organization" }, listing)).toBe(200);
            const items = answers.list(organization, listing);
            expect(JSON.parse(JSON.stringify(items))).toStrictEqual(items);
            const keys = items.map((item) =>
              "user" in item
                ? item.user.id
                : "team" in item
                  ? item.team.id
                  : `${item.space.createdAt} ${item.space.id}`,
            );
            const ordered = [...new Set(keys)].sort(byBytes);
            const newestFirst = listing.endpoint === 7 && listing.order !== "asc";
            expect(keys).toStrictEqual(newestFirst ? ordered.toReversed() : ordered);
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  test("has no list of an absent subject: 404 to callers who may list, never 200", () => {
    fc.assert(
      fc.property(organizations(), (records) => {
        const answers = oracle(records, { publicUrl });
        for (const organization of organizationIds(records)) {
          const members = records.flatMap((record) =>
            record.object === "member" && record.organization === organization ? record : [],
          );
          for (const listing of answers.absent(organization)) {
            expect(() => answers.list(organization, listing)).toThrow(/^no /);
            expect(answers.may(organization, { kind: "organization" }, listing)).toBe(404);
            for (const { user, role } of members) {
              const withheld = listing.endpoint >= 7 && role !== "admin";
              const verdict = answers.may(organization, { kind: "member", user }, listing);
              expect(verdict).toBe(withheld ? 403 : 404);
            }
          }
        }
      }),
      { numRuns: 60 },
    );
  });

  test("splits each aggregate completely by role", () => {
    fc.assert(
      fc.property(organizations(), (records) => {
        const answers = oracle(records, { publicUrl });
        for (const record of records) {
          if (record.object !== "space") continue;
          const { organization, id } = record;
          const parts = ROLES.map((role) => answers.list(organization, { endpoint: 3, space: id, role }));
          expect(parts.flat().length).toBe(answers.list(organization, { endpoint: 3, space: id }).length);
        }
      }),
    );
  });
});
