/**
 * The next model has what sites say, and is the one built anew: levels and permissions come, change and go, together
 * with the sites, members and teams, whose numbers they name.
 */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { packed, PERMISSION } from "../../src/model/lists.ts";
import { INHERIT } from "../../src/model/model.ts";
import { next } from "../../src/model/next.ts";
import { type Facts, factsOf, organizationIds } from "../oracle/facts.ts";
import { histories } from "../oracle/random/organizations.ts";
import { randomOf } from "../oracle/random/values.ts";
import { type Role, ROLES, type SitePermission, type SiteRecord } from "../oracle/records.ts";
import { holds } from "../setup/property.ts";
import { done, expectEqual } from "./expect-equal.ts";
import { changesBetween, modelOf, undone } from "./model-of.ts";

const RUNS = 20 * Number(process.env.ROLEBOOK_TEST_RUNS ?? 10);

/** The same organization, with what its sites say next: of what they said before, most stays. */
function speaking(before: Facts | undefined, facts: Facts, random: () => number): Facts {
  const one = <T>(things: readonly T[]): T | undefined => things[Math.floor(random() * things.length)];
  const role = () => one([...ROLES, null]) ?? null;
  const siteRecords = new Map(
    Array.from(facts.siteRecords, ([id, record]) => {
      const { defaultLevel: _, ...silent } = record;
      const stays = before?.siteRecords.get(id);
      return [id, random() < 0.7 && stays !== undefined ? stays : { ...silent, ...levelBy(random, role) }];
    }),
  );
  const given = new Map<string, SitePermission[]>();
  for (const site of siteRecords.keys()) {
    const permissions = new Map<string, SitePermission>();
    const give = (permission: SitePermission) =>
      void permissions.set(JSON.stringify([permission.user, permission.team]), permission);
    for (const permission of before?.permissionsOnSite(site) ?? []) {
      const { user, team = "" } = permission;
      const isThere = user === undefined ? facts.teams.has(team) : facts.members.has(user);
      if (!isThere || random() < 0.2) continue;
      give(random() < 0.2 ? { ...permission, permission: role() } : permission);
    }
    for (let times = 5 * random(); times > 0; times--) {
      const [user, team] = [one([...facts.members.keys()]), one([...facts.teams.keys()])];
      if (user !== undefined) give({ object: "permission", site, user, permission: role() });
      if (team !== undefined) give({ object: "permission", site, team, permission: role() });
    }
    given.set(site, [...permissions.values()]);
  }
  return { ...facts, siteRecords, permissionsOnSite: (site) => given.get(site) ?? [] };
}

function levelBy(random: () => number, role: () => Role | null): Pick<SiteRecord, "defaultLevel"> {
  return random() < 0.5 ? {} : { defaultLevel: role() };
}

test("a chain of changes, forward and back", () => {
  let [denied, moved] = [0, 0];
  holds(
    fc.property(histories({ maxSites: 4 }, 4), fc.nat(), (history, seed) => {
      const random = randomOf(seed);
      for (const id of organizationIds(history[0] ?? [])) {
        let before: Facts | undefined;
        for (const records of history) {
          if (!organizationIds(records).includes(id)) break;
          const after = speaking(before, factsOf(records, id), random);
          if (before !== undefined) {
            const [was, is] = [modelOf(before), modelOf(after, true)];
            const changes = changesBetween(before, after);
            expectEqual(done(next(was, changes)), is);
            expectEqual(done(next(is, undone(changes))), was);
            for (const site of after.sites.keys())
              denied += after.permissionsOnSite(site).filter(({ permission }) => permission === null).length;
            moved += Number(was.members.count !== is.members.count && is.sites.users.entries.length > 0);
          }
          before = after;
        }
      }
    }),
    { numRuns: RUNS },
  );
  expect(denied).toBeGreaterThan(0);
  expect(moved).toBeGreaterThan(0);
});

test("what sites say is shared with the model before, where nothing touches it", () => {
  const records = [
    { object: "organization", id: "acme", title: "Acme" },
    { object: "site", id: "docs", organization: "acme", title: "docs" },
    { object: "user", id: "ana", displayName: "Ana" },
    { object: "member", organization: "acme", user: "ana", role: null },
  ] as const;
  const model = modelOf(factsOf(records, "acme"));
  const after = done(
    next(model, [{ kind: "permission", member: "ana", site: "docs", was: undefined, becomes: "0" }]),
  );
  expect(after.sites.users.entries).toEqual(Uint32Array.of(packed(0, PERMISSION, 0)));
  expect(after.sites.levels).toEqual(Uint8Array.of(INHERIT));
  for (const list of ["ids", "titles", "levels", "spaces", "teams"] as const)
    expect(after.sites[list]).toBe(model.sites[list]);
  expect([after.members, after.contents, after.teams]).toEqual([model.members, model.contents, model.teams]);
});
