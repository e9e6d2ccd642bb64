/** `--verify` compares a pull with GitBook's own listings, and `--probe` describes the API; both against the double. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  type VerifiedPull,
  differencesAsText,
  spread,
  verify,
} from "../../../src/connectors/gitbook/verify.ts";
import { probe } from "../../../src/connectors/gitbook/probe.ts";
import { pull } from "../../../src/connectors/gitbook/pull.ts";
import { acme } from "../../examples/acme.ts";
import { organizations } from "../../oracle/random/organizations.ts";
import type { DoubleOptions } from "./double/double.ts";
import { clientOf, withDouble } from "./double/pulled.ts";
import { type Beyond, State, tamed, withSilentSites } from "./double/state.ts";
import { holds } from "../../setup/property.ts";

const RECORDS = tamed(acme);
const RUNS = Number(process.env.ROLEBOOK_TEST_RUNS ?? 10);

async function verified(state: State, most: number, options: DoubleOptions = {}): Promise<VerifiedPull> {
  return withDouble(state, options, async (double) => {
    const client = clientOf(double);
    return verify(client, await pull(client, state.organization, { accept: new Set() }), most);
  });
}

test(`${RUNS} random organizations: the roles in a pulled organization equal the oracle's`, async () => {
  await holds(
    fc.asyncProperty(
      organizations({ maxOrganizations: 1, minMembers: 1, minContents: 1 }),
      fc.constantFrom("0.91.0" as const, "newest" as const),
      fc.integer({ min: 1, max: 7 }),
      async (random, vintage, pageSize) => {
        const state = new State(tamed(vintage === "newest" ? random : withSilentSites(random)));
        const { differences, ...compared } = await verified(state, Infinity, { vintage, pageSize });
        expect(differences).toEqual([]);
        const { spaces, collections, members, sites } = state.facts;
        expect(compared).toEqual({
          contents: spaces.size + collections.size,
          members: members.size,
          sites: sites.size,
        });
      },
    ),
    { numRuns: RUNS },
  );
});

test("disabled members are no difference", async () => {
  const { differences, members } = await verified(
    new State(RECORDS, { disabled: ["ana", "tomas"] }),
    Infinity,
  );
  expect(differences).toEqual([]);
  expect(members).toBe(RECORDS.filter(({ object }) => object === "member").length - 2);
});

/** Changes the role in every entry of one of GitBook's listings, so that it differs from Rolebook's rules. */
const giving = (path: string, change: (entry: Record<string, unknown>) => unknown): Beyond => ({
  distort: (operation, entry) => (operation === path ? { ...entry, permission: change(entry) } : entry),
});

test.each<[path: string, at: RegExp]>([
  ["/spaces/{spaceId}/permissions/aggregate", /^space\//],
  ["/collections/{collectionId}/permissions/aggregate", /^collection\//],
  ["/orgs/{organizationId}/members/{userId}/spaces", /^space\//],
  ["/orgs/{organizationId}/sites/{siteId}/permissions/aggregate", /^site\//],
])("another role in GET %s is a difference by name", async (path, at) => {
  const other = giving(path, ({ permission }) => (permission === "read" ? "admin" : permission));
  const { differences } = await verified(new State(RECORDS, other), Infinity);
  expect(differences.length).toBeGreaterThan(0);
  for (const difference of differences) {
    expect(difference).toEqual({
      at: expect.stringMatching(at),
      user: expect.any(String),
      gitbook: "admin",
      rolebook: "read",
    });
  }
  expect(differencesAsText({ contents: 1, members: 1, sites: 1, differences }).split("\n")[0]).toMatch(
    /^\w+\/[\w-]+: "[^"]+" has admin at GitBook, read by Rolebook's rules$/,
  );
});

test("missing access at GitBook is a difference; the first 20 differences are named", async () => {
  const nobody = giving("/spaces/{spaceId}/permissions/aggregate", () => null);
  const found = await verified(new State(RECORDS, nobody), Infinity);
  expect(found.differences.every(({ gitbook }) => gitbook === null)).toBe(true);
  const lines = differencesAsText(found).split("\n");
  expect(lines).toHaveLength(21);
  expect(lines.at(-1)).toBe(`… and ${found.differences.length - 20} more.`);
});

test("the requested number is compared, evenly spaced", async () => {
  const { contents, members, sites } = await verified(new State(RECORDS), 3);
  expect({ contents, members, sites }).toEqual({ contents: 3, members: 3, sites: 2 });
  expect(spread([..."fedcba"], 3)).toEqual(["a", "c", "e"]);
  expect(spread([..."ba"], 3)).toEqual(["a", "b"]);
});

test("a probe reports how the API behaves, without any id", async () => {
  const state = new State(RECORDS, { disabled: ["ana"] });
  const limit = { requests: 1000, window: 60_000, reset: "seconds" as const };
  const lines: string[] = await withDouble(state, { limit }, async (double) => {
    const found: string[] = [];
    for await (const line of probe(clientOf(double), "acme", [0, 20])) found.push(line);
    return found;
  });
  const members = RECORDS.filter(({ object }) => object === "member").length;
  expect(lines).toEqual(
    expect.arrayContaining([
      "address: another",
      "header x-ratelimit-limit: 1000",
      expect.stringMatching(/^header x-ratelimit-reset: \d{10}$/),
      "header retry-after: absent",
      `entries without limit: ${members} of ${members}, no next`,
      "limit=1: status 200, 1 entries, count of all",
      "limit=1001: status 400, 0 entries, count absent",
      "members by joining: in that order",
      "disabled members: 1",
      "page token after 0 s: status 200",
      "page token after 0.02 s: status 200",
    ]),
  );
  const secrets = RECORDS.flatMap((record) => ("id" in record ? [record.id] : []));
  const text = lines.filter((line) => !line.includes("rule")).join("\n");
  for (const id of secrets.filter((each) => each.length > 4)) expect(text).not.toContain(id);
});
