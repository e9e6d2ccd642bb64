/** `why` and the listings agree for everybody, and `why` is worded as in docs/permissions.md. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { Explanation, WhyStep } from "../../src/domain/why.ts";
import { reasonOf } from "../examples/reason.ts";
import { sentenceOf } from "../examples/sentence.ts";
import { acme } from "../examples/acme.ts";
import { type Facts, factsOf, organizationIds } from "../oracle/facts.ts";
import { organizations } from "../oracle/random/organizations.ts";
import { byBytes } from "../oracle/order.ts";
import type { Role, SnapshotRecord } from "../oracle/records.ts";
import { ownPlace, type World } from "../world.ts";
import { contentsOf, explainIn, inWorld, textOf, thingsOf } from "./why.ts";
import { holds } from "../setup/property.ts";

const RUNS = Number(process.env.ROLEBOOK_TEST_RUNS ?? 5);

const STRANGER = "nobody at all";

test("the role of why equals that of the listings, for members and others", async () => {
  await everywhere(organizations(), RUNS, async (world, facts) => {
    for (const thing of thingsOf(facts)) {
      const listed = await listedRoles(world, facts, thing);
      for (const user of usersOf(facts)) {
        const explanation = await explainIn(world, facts.organization, user, thing);
        expect([user, thing, explanation.role]).toEqual([user, thing, listed.get(user)?.role ?? null]);
        if (thing.kind === "site") {
          expect([user, thing, explanation.space?.id]).toEqual([user, thing, listed.get(user)?.space]);
        }
      }
    }
  });
});

test("the sentence equals the oracle's wording, and the ladder has one deciding step", async () => {
  await everywhere(organizations({ maxMembers: 6 }), RUNS, async (world, facts, title) => {
    for (const content of contentsOf(facts)) {
      for (const user of [...facts.members.keys(), STRANGER]) {
        const explanation = await explainIn(world, facts.organization, user, content);
        expect(textOf(explanation)).toBe(sentenceOf(facts, title, user, content));
        checkLadder(explanation, facts, user, content);
      }
    }
  });
});

test("of a user who is a member elsewhere, only the id is shown", async () => {
  await everywhere(
    organizations({ minOrganizations: 2, minMembers: 1, minContents: 1 }),
    5,
    async (world, facts, title) => {
      const [content] = contentsOf(facts);
      const elsewhere = [...facts.users.keys()].find((user) => !facts.members.has(user));
      if (content === undefined || elsewhere === undefined) return;
      const explanation = await explainIn(world, facts.organization, elsewhere, content);
      expect(explanation.user).toEqual({ id: elsewhere, displayName: elsewhere });
      expect(textOf(explanation)).toBe(`No access, because ${elsewhere} is not a member of ${title}.`);
    },
  );
});

test("Acme: every sentence, and the site's", async () => {
  await inWorld(ownPlace, async (world) => {
    await world.import(acme);
    const facts = factsOf(acme, "acme");
    for (const content of contentsOf(facts)) {
      for (const user of [...facts.members.keys(), STRANGER]) {
        const explanation = await explainIn(world, "acme", user, content);
        expect(textOf(explanation)).toBe(sentenceOf(facts, "Acme", user, content));
      }
    }
    const say = async (user: string, id: string) =>
      textOf(await explainIn(world, "acme", user, { kind: "site", id }));
    expect(await say("kofi@partner.example", "acme-docs")).toBe(
      "review, the highest of Kofi Mensah’s roles on this site’s 5 spaces, from space API reference: review, because " +
        "Kofi Mensah has review directly on collection Developer docs, which this space inherits from.",
    );
    expect(await say("jonas@partner.example", "acme-docs")).toBe("No access to any of this site’s 5 spaces.");
    expect(await say("nobody@elsewhere.example", "acme-docs")).toBe(
      "No access, because nobody@elsewhere.example is not a member of Acme.",
    );
  });
});

async function everywhere(
  arbitrary: fc.Arbitrary<SnapshotRecord[]>,
  numRuns: number,
  check: (world: World, facts: Facts, title: string) => Promise<void>,
): Promise<void> {
  await holds(
    fc.asyncProperty(arbitrary, async (records) => {
      await inWorld(ownPlace, async (world) => {
        await world.import(records);
        for (const id of organizationIds(records)) {
          const own = records.find((record) => record.object === "organization" && record.id === id);
          await check(world, factsOf(records, id), own?.object === "organization" ? own.title : "");
        }
      });
    }),
    { numRuns },
  );
}

/** Members, users of other organizations, and an unknown user. */
function usersOf(facts: Facts): string[] {
  return [...new Set([...facts.members.keys(), ...facts.users.keys(), STRANGER])];
}

interface Listed {
  readonly role: Role;
  readonly space: string | undefined;
}

interface Entry {
  readonly permission: Role;
  readonly user: { readonly id: string };
  readonly origin?: { readonly space: string };
}

/** The roles in the lists of endpoints 3, 6 and 8, read over HTTP. */
async function listedRoles(
  world: World,
  { organization }: Facts,
  { kind, id }: { kind: string; id: string },
): Promise<Map<string, Listed>> {
  const path =
    kind === "site"
      ? `/v1/orgs/${organization}/sites/${id}/permissions/aggregate`
      : `/v1/${kind}s/${id}/permissions/aggregate`;
  const items = await world.walk(path, await world.token(organization));
  const roles = new Map<string, Listed>();
  for (const item of items) {
    if (!isEntry(item)) throw new Error(`not an entry: ${JSON.stringify(item)}`);
    roles.set(item.user.id, { role: item.permission, space: item.origin?.space });
  }
  return roles;
}

function isEntry(item: unknown): item is Entry {
  return typeof item === "object" && item !== null && "permission" in item && "user" in item;
}

function checkLadder(
  { levels }: Explanation,
  facts: Facts,
  user: string,
  content: { kind: "space" | "collection"; id: string },
): void {
  const reason = reasonOf(facts, user, content);
  // Each site is asked alone: what the others say stands beside what decides.
  const others = levels.filter(({ kind, id }) => kind === "site" && id !== reason.site);
  expect(others.flatMap(({ steps }) => steps.filter(({ mark }) => mark === "decides"))).toEqual([]);
  const steps: (WhyStep & { at: string })[] = levels
    .filter((level) => !others.includes(level))
    .flatMap(({ kind, id, steps }) =>
      steps.map((step) => ({ ...step, at: kind === "organization" ? kind : `${kind}/${id}` })),
    );
  const decides = steps.findIndex(({ mark }) => mark === "decides");
  const marks = steps.map(({ mark }) => mark);
  expect(marks.slice(0, decides).every((mark) => mark === "none" || mark === "on")).toBe(true);
  expect(marks.slice(decides + 1).every((mark) => mark === "not-reached")).toBe(true);
  expect(decides).toBeGreaterThanOrEqual(0);

  const step = steps[decides];
  const at =
    reason.site !== undefined
      ? `site/${reason.site}`
      : reason.at === undefined
        ? "organization"
        : `${reason.at.kind}/${reason.at.id}`;
  const given = step?.rule === "default" && reason.role === null ? undefined : step?.role;
  expect([step?.at, given ?? null]).toEqual([at, reason.role]);
  if (reason.rule === "2b") {
    expect(step?.teams?.map(({ id, role }) => ({ id, role }))).toEqual(reason.teams);
  }

  const above: string[] = [];
  for (let id = parentOf(facts, content); id !== undefined; id = facts.collections.get(id)?.parent) {
    above.push(id);
  }
  expect(levels.slice(1, -1).map(({ kind, id }) => `${kind}/${id}`)).toEqual([
    `${content.kind}/${content.id}`,
    ...sitesOf(facts, content).map((id) => `site/${id}`),
    ...above.map((id) => `collection/${id}`),
  ]);
  expect(levels.filter(({ here }) => here).map(({ id }) => id)).toEqual([content.id]);
}

/** The sites of a space that say anything, also where the space does not ask them, as with collections above. */
function sitesOf(
  { sites, siteRecords, permissionsOnSite }: Facts,
  { kind, id }: { kind: string; id: string },
) {
  return [...sites]
    .filter(([site, spaces]) => {
      const { defaultLevel = "inherit" } = siteRecords.get(site) ?? {};
      const speaks = defaultLevel !== "inherit" || permissionsOnSite(site).length > 0;
      return kind === "space" && spaces.includes(id) && speaks;
    })
    .map(([site]) => site)
    .sort(byBytes);
}

function parentOf(facts: Facts, { kind, id }: { kind: "space" | "collection"; id: string }) {
  return (kind === "space" ? facts.spaces : facts.collections).get(id)?.parent;
}
