import { expect, test } from "vitest";
import * as given from "../../oracle/examples/examples.ts";
import { factsOf } from "../../oracle/facts.ts";
import { listingsOf, path } from "../../oracle/listing.ts";
import { oracle } from "../../oracle/oracle.ts";
import { ROLES, type SnapshotRecord } from "../../oracle/records.ts";
import { type OpenPlace, PUBLIC_URL, World } from "../../world.ts";

const SPACES = 270;
/** Members, each with its number of direct permissions. Above 256, a member has sets of spaces. */
const HELD = { none: 0, one: 1, most: 256, more: 257, all: 2 * SPACES };

/** Members with more direct permissions than the limit are listed correctly. */
export function exerciseMany(open: OpenPlace, step: number): void {
  test("members with few, 256 and more direct permissions are listed everywhere", async () => {
    const records = recordsOf();
    const world = await World.open(open);
    try {
      await world.import(records);
      const token = await world.token("o");
      const asked = oracle(records, { publicUrl: PUBLIC_URL });
      const listings = listingsOf(factsOf(records, "o"));
      expect(listings.length).toBeGreaterThan(4 * SPACES);
      for (const listing of listings.filter((_, index) => index % step === 0)) {
        const listed = await world.walk(path("o", listing), token, [37]);
        expect(listed, path("o", listing)).toEqual(asked.list("o", listing));
      }
      for (const user of Object.keys(HELD)) {
        const own = await world.token("o", user);
        const caller = { kind: "member", user } as const;
        for (const space of ["s0", "s100", "s259"]) {
          const listing = { endpoint: 3, space } as const;
          const { status } = await world.get(path("o", listing), own);
          expect(status, `${user} on ${space}`).toBe(asked.may("o", caller, listing));
        }
      }
    } finally {
      await world.close();
    }
  });
}

function recordsOf(): SnapshotRecord[] {
  const records: SnapshotRecord[] = [given.organization("o")];
  for (let index = 0; index < SPACES; index++) {
    // Every second space is closed, so that its listings depend only on permissions.
    const defaultLevel = index % 2 === 0 ? null : ("inherit" as const);
    records.push(given.collection(`c${index}`, { defaultLevel }));
    records.push(given.space(`s${index}`, { parent: `c${index}` }));
  }
  records.push(...given.site("closed", ["s0", "s2", "s100", "s258"]), ...given.site("open", ["s1", "s259"]));
  for (const [index, [user, held]] of Object.entries(HELD).entries()) {
    records.push(...given.member(user, index % 2 === 0 ? "read" : null));
    for (let at = 0; at < held; at++) {
      const role = ROLES[at % ROLES.length] ?? "read";
      if (at < SPACES) records.push(given.onSpace(`s${at}`, { user }, role));
      else records.push(given.onCollection(`c${at - SPACES}`, { user }, role));
    }
  }
  return records;
}
