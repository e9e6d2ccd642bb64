import * as fc from "fast-check";
import { describe, expect, test } from "vitest";

import { utc } from "../date.ts";
import { publicUrl } from "./examples.ts";
import { organizationIds } from "../facts.ts";
import { oracle } from "../oracle.ts";
import { byBytes } from "../order.ts";
import { organizations } from "../random/organizations.ts";
import { ROLES, type SnapshotRecord } from "../records.ts";

const named = (sample: SnapshotRecord[], kind: "member" | "siteSpace" | "teamMember", id: string) =>
  sample.some(
    (record) =>
      record.object === kind &&
      (record.object === "member"
        ? record.user
        : record.object === "siteSpace"
          ? record.site
          : record.team) === id,
  );

describe("what random organizations cover", () => {
  const samples = fc.sample(organizations(), { numRuns: 300, seed: 7 });
  const records = samples.flat();
  const share = (holds: (sample: SnapshotRecord[]) => boolean) =>
    samples.filter(holds).length / samples.length;

  test("every kind of record, every role, every default level", () => {
    const levels = records.flatMap((record) => (record.object === "space" ? [record.defaultLevel] : []));
    expect(new Set(levels)).toStrictEqual(new Set([...ROLES, "inherit", null, undefined]));
    const roles = records.flatMap((record) => (record.object === "member" ? [record.role] : []));
    expect(new Set(roles)).toStrictEqual(new Set([...ROLES, null]));
    expect(new Set(records.map(({ object }) => object)).size).toBe(10);
  });

  test("two organizations with a common member, in most samples", () => {
    const common = share((sample) => {
      const users = sample.flatMap((record) => (record.object === "member" ? record.user : []));
      return new Set(users).size < users.length;
    });
    expect(common).toBeGreaterThan(0.4);
  });

  test("repeated descriptions, users who are members nowhere, empty sites and empty teams", () => {
    const lonely = (object: "user" | "site" | "team", by: "member" | "siteSpace" | "teamMember") =>
      share((sample) => sample.some((record) => record.object === object && !named(sample, by, record.id)));
    expect(lonely("user", "member")).toBeGreaterThan(0.05);
    expect(lonely("site", "siteSpace")).toBeGreaterThan(0.05);
    expect(lonely("team", "teamMember")).toBeGreaterThan(0.05);
    const repeats = share((sample) => {
      const users = sample.flatMap((record) => (record.object === "user" ? record.id : []));
      return new Set(users).size < users.length;
    });
    expect(repeats).toBeGreaterThan(0.3);
  });

  test("user ids that UTF-16 and UTF-8 order differently, and ties of createdAt in one organization", () => {
    const differently = share((sample) => {
      const users = new Set(sample.flatMap((record) => (record.object === "user" ? record.id : [])));
      return [...users].sort().join("\0") !== [...users].sort(byBytes).join("\0");
    });
    expect(differently).toBeGreaterThan(0.05);
    const ties = share((sample) => {
      const dates = sample.flatMap((record) =>
        record.object === "space" ? `${record.organization} ${utc(record.createdAt)}` : [],
      );
      return new Set(dates).size < dates.length;
    });
    expect(ties).toBeGreaterThan(0.3);
  });

  test("each outcome of section 3", () => {
    const reached = new Map<string, number>();
    for (const sample of samples.slice(0, 100)) {
      const answers = oracle(sample, { publicUrl });
      for (const organization of organizationIds(sample)) {
        for (const listing of answers.listings(organization)) {
          if (listing.endpoint !== 8) continue;
          for (const item of answers.list(organization, listing)) {
            if (!("origin" in item)) continue;
            const seen = `${item.permission} ${item.origin.type}`;
            reached.set(seen, (reached.get(seen) ?? 0) + 1);
          }
        }
      }
    }
    const all = ROLES.flatMap((role) => [`${role} organization`, `${role} site`, `${role} space`]);
    expect([...reached.keys()].sort()).toStrictEqual(all.sort());
  });

  test("collections as deep as is allowed", () => {
    const towers = samples.map(
      (sample) =>
        sample.filter((record) => record.object === "collection" && record.id.startsWith("tower")).length,
    );
    expect(Math.max(...towers)).toBeGreaterThan(25);
  });
});
