/** The checksum of a model is that of its records, in whatever order they came, and differs with each record. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { RecordChange } from "../../src/domain/record-change.ts";
import { Checksum, checksumOf } from "../../src/model/checksum.ts";
import { type Facts, factsOf, organizationIds } from "../oracle/facts.ts";
import { histories } from "../oracle/random/organizations.ts";
import { done } from "./expect-equal.ts";
import { changesBetween, modelOf, recordsOf, undone } from "./model-of.ts";
import { holds } from "../setup/property.ts";

const RUNS = 10 * Number(process.env.ROLEBOOK_TEST_RUNS ?? 10);

/** The records of an organization, as if they all came at once. */
function all(facts: Facts): RecordChange[] {
  const records = [...recordsOf(facts).values()].map(({ names, says }) => ({
    ...names,
    was: undefined,
    becomes: says,
  }));
  return [{ kind: "organization", was: undefined, becomes: facts.organization }, ...records];
}

function counted(changes: readonly RecordChange[], from?: string): string {
  const sum = new Checksum(from);
  sum.change(changes);
  return sum.toString();
}

test("the sum of all records, however they came", () => {
  holds(
    fc.property(histories({}, 2), ([first = [], second = []]) => {
      for (const id of organizationIds(first).filter((each) => organizationIds(second).includes(each))) {
        const [before, after] = [factsOf(first, id), factsOf(second, id)];
        const [was, is] = [done(checksumOf(modelOf(before))), done(checksumOf(modelOf(after)))];
        expect(was).toBe(counted(all(before)));
        expect(was).toBe(counted(all(before).toReversed()));
        const changes = changesBetween(before, after);
        expect(counted(changes, was)).toBe(is);
        expect(counted(undone(changes), is)).toBe(was);
        expect(was === is).toBe(changes.length === 0);
      }
    }),
    { numRuns: RUNS },
  );
});

test("each single record differs from the same of something else", () => {
  const records: RecordChange[] = [
    { kind: "user", member: "x", was: undefined, becomes: "1" },
    { kind: "member", member: "x", was: undefined, becomes: "1" },
    { kind: "member", member: "x", was: undefined, becomes: "2" },
    { kind: "team", team: "x", was: undefined, becomes: "1" },
    { kind: "teamMember", team: "x", member: "y", was: undefined, becomes: "owner" },
    { kind: "teamMember", team: "y", member: "x", was: undefined, becomes: "owner" },
    { kind: "teamMember", team: "x", member: "y", was: undefined, becomes: "member" },
    { kind: "permission", team: "x", content: "space/y", was: undefined, becomes: "1" },
    { kind: "permission", member: "x", content: "space/y", was: undefined, becomes: "1" },
    { kind: "permission", member: "x", content: "collection/y", was: undefined, becomes: "1" },
    { kind: "permission", team: "x", site: "y", was: undefined, becomes: "1" },
    { kind: "permission", member: "x", site: "y", was: undefined, becomes: "1" },
    { kind: "permission", member: "x", site: "y", was: undefined, becomes: "0" },
    { kind: "permission", member: "y", site: "x", was: undefined, becomes: "1" },
    { kind: "permission", member: "y", content: "space/x", was: undefined, becomes: "1" },
    { kind: "permission", member: "space/x", site: "y", was: undefined, becomes: "1" },
    { kind: "siteSpace", site: "x", content: "space/y", was: undefined, becomes: "" },
    { kind: "site", site: "x", was: undefined, becomes: "1" },
  ];
  expect(new Set(records.map((record) => counted([record]))).size).toBe(records.length);
});
