/** Each scenario holds in the program, asked over HTTP, on every store; and in the oracle, so that both are judged. */
import { readdirSync } from "node:fs";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { sentenceOf } from "../examples/sentence.ts";
import { type Content, factsOf } from "../oracle/facts.ts";
import { type Item, oracle, type Origin } from "../oracle/oracle.ts";
import { explainIn, textOf } from "../store/why.ts";
import { ownPlace, PUBLIC_URL, World } from "../world.ts";
import { organizationOf, type Scenario, scenariosIn } from "./scenario.ts";

const FILES = readdirSync(import.meta.dirname)
  .filter((file) => file.endsWith(".yaml"))
  .sort();

/** What is asked of the program and of the oracle alike. */
interface Judged {
  /** All entries of a list, by its path. */
  list(path: string): Promise<readonly unknown[]>;
  /** The status of a list for a member. */
  status(path: string, user: string): Promise<number>;
  why(user: string, content: Content): Promise<{ role: string | null; sentence: string }>;
}

let world: World;
beforeAll(async () => {
  world = await World.open(ownPlace);
});
afterAll(() => world.close());

describe.each(FILES)("%s", (file) => {
  const scenarios = scenariosIn(new URL(file, import.meta.url), file.replace(".yaml", ""));
  test.each(scenarios)("$name: the oracle", async (scenario) => {
    await judge(scenario, oracleOf(scenario));
  });

  test.each(scenarios)("$name: the program", async (scenario) => {
    await world.import(scenario.records);
    await judge(scenario, await programOf(scenario));
  });
});

async function judge(scenario: Scenario, asked: Judged): Promise<void> {
  const { id: organization } = organizationOf(scenario);
  const found = new Map<string, Record<string, string>>();
  for (const [thing, expected] of scenario.expected) {
    const [kind = "", id = ""] = thing.split(" ");
    if (kind === "team") found.set(thing, await teamIn(asked, organization, id, expected.keys()));
    else found.set(thing, await rolesIn(scenario, asked, kind, id));
  }
  const expected = [...scenario.expected].map(([thing, each]) => [thing, Object.fromEntries(each)]);
  expect(Object.fromEntries(found)).toEqual(Object.fromEntries(expected));
  await judgeSpaces(scenario, asked, organization);
  await judgeContents(scenario, asked, organization);
  for (const [which, sentence] of scenario.why) {
    const [user = "", thing = ""] = which.split(" on ");
    expect([which, (await asked.why(user, contentOf(thing))).sentence]).toEqual([which, sentence]);
  }
}

/** The role of every member on a content or a site; on a site, with its origin. */
async function rolesIn(
  scenario: Scenario,
  asked: Judged,
  kind: string,
  id: string,
): Promise<Record<string, string>> {
  const { id: organization } = organizationOf(scenario);
  const roles = new Map(scenario.members.map((user) => [user, "none"]));
  for (const item of await asked.list(pathOf(organization, kind, id))) {
    if (!isEntry(item)) throw new Error(`no entry: ${JSON.stringify(item)}`);
    roles.set(
      item.user.id,
      item.origin === undefined ? item.permission : `${item.permission} ${whence(item.origin)}`,
    );
  }
  return Object.fromEntries(roles);
}

function whence(origin: Origin): string {
  if (origin.type === "organization") return `from the organization, on ${origin.space}`;
  if (origin.type === "space") return `from space ${origin.space}`;
  const by = { default: "default", member: "member", team: `team ${origin.team}` }[origin.reason];
  return `from site ${origin.site} by ${by}, on ${origin.space}`;
}

async function teamIn(
  asked: Judged,
  organization: string,
  id: string,
  names: Iterable<string>,
): Promise<Record<string, string>> {
  const teams = await asked.list(`/v1/orgs/${organization}/teams`);
  const team = teams.find(
    (each) => typeof each === "object" && each !== null && "id" in each && each.id === id,
  );
  const counts: Record<string, unknown> = { ...(typeof team === "object" ? team : {}) };
  return Object.fromEntries([...names].map((name) => [name, String(counts[name])]));
}

/** The list of each member's spaces has the same roles. */
async function judgeSpaces(scenario: Scenario, asked: Judged, organization: string): Promise<void> {
  for (const user of scenario.members) {
    const items = await asked.list(`/v1/orgs/${organization}/members/${encodeURIComponent(user)}/spaces`);
    const roles = new Map(
      items.map((item) => {
        if (!isSpaceEntry(item)) throw new Error(`no entry: ${JSON.stringify(item)}`);
        return [item.space.id, item.permission];
      }),
    );
    for (const [thing, expected] of scenario.expected) {
      if (!thing.startsWith("space ")) continue;
      const id = thing.slice("space ".length);
      expect([user, thing, roles.get(id) ?? "none"]).toEqual([user, thing, expected.get(user)]);
    }
  }
}

/**
 * Why says the same role. A member may list the people of a content with a role from `create` on, and does not see it
 * with none.
 */
async function judgeContents(scenario: Scenario, asked: Judged, organization: string): Promise<void> {
  for (const [thing, expected] of scenario.expected) {
    const [kind = "", id = ""] = thing.split(" ");
    if (kind !== "space" && kind !== "collection") continue;
    for (const [user, role] of expected) {
      const status = role === "none" ? 404 : role === "create" || role === "admin" ? 200 : 403;
      const got = await asked.status(pathOf(organization, kind, id), user);
      const why = await asked.why(user, { kind, id });
      expect([user, thing, why.role ?? "none", got]).toEqual([user, thing, role, status]);
    }
  }
}

function pathOf(organization: string, kind: string, id: string): string {
  if (kind === "site") return `/v1/orgs/${organization}/sites/${id}/permissions/aggregate`;
  return `/v1/${kind}s/${id}/permissions/aggregate`;
}

function contentOf(thing: string): Content {
  const [kind, id = ""] = thing.split(" ");
  if (kind !== "space" && kind !== "collection") throw new Error(`no content: ${thing}`);
  return { kind, id };
}

async function programOf(scenario: Scenario): Promise<Judged> {
  const { id: organization } = organizationOf(scenario);
  const token = await world.token(organization);
  return {
    list: (path) => world.walk(path, token),
    status: async (path, user) => (await world.get(path, await world.token(organization, user))).status,
    why: async (user, content) => {
      const explanation = await explainIn(world, organization, user, content);
      return { role: explanation.role, sentence: textOf(explanation) };
    },
  };
}

function oracleOf({ records }: Scenario): Judged {
  const answers = oracle(records, { publicUrl: PUBLIC_URL });
  const [organization] = records;
  if (organization?.object !== "organization") throw new Error("A scenario begins with its organization.");
  const { id, title } = organization;
  const listings = new Map(answers.listings(id).map((listing) => [answers.path(id, listing), listing]));
  const listingOf = (path: string) => {
    const listing = listings.get(path);
    if (listing === undefined) throw new Error(`no listing ${path}`);
    return listing;
  };
  return {
    list: async (path): Promise<Item[]> => answers.list(id, listingOf(path)),
    status: async (path, user) => answers.may(id, { kind: "member", user }, listingOf(path)),
    why: async (user, content) => ({
      role: answers.effective(id, user, content),
      sentence: sentenceOf(factsOf(records, id), title, user, content),
    }),
  };
}

interface Entry {
  readonly permission: string;
  readonly user: { readonly id: string };
  readonly origin?: Origin;
}

function isEntry(item: unknown): item is Entry {
  return typeof item === "object" && item !== null && "permission" in item && "user" in item;
}

function isSpaceEntry(item: unknown): item is { permission: string; space: { id: string } } {
  return typeof item === "object" && item !== null && "permission" in item && "space" in item;
}
