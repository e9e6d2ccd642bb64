/** What differs on a collection differs on what inherits from there, except for people with a permission of their own. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import * as given from "../../../oracle/examples/examples.ts";
import { ROLES } from "../../../oracle/records.ts";
import { ownPlace, World } from "../../../world.ts";
import { compare, statesOf } from "./diff.ts";
import { holds } from "../../../setup/property.ts";

const USERS = ["ana", "ben", "cem", "dan", "eva", "fay"];
const TEAMS = ["t1", "t2", "t3"];

const user = fc.constantFrom(...USERS);
const team = fc.constantFrom(...TEAMS);
const role = fc.constantFrom(...ROLES);
const drawn = fc.record({
  /** The collection, by number, in which each next collection lies, with a space in each. */
  parents: fc.array(fc.nat(), { minLength: 3, maxLength: 6 }),
  teams: fc.tuple(...TEAMS.map(() => fc.subarray(USERS, { minLength: 2 }))),
  below: fc.array(fc.record({ at: fc.nat(), whom: fc.oneof(user, team), role }), {
    minLength: 4,
    maxLength: 12,
  }),
  change: fc.record({ at: fc.nat({ max: 2 }), team, role }),
});

test("a team's permission counts on every content below for whom nothing there decides, undone as well", async () => {
  await holds(
    fc.asyncProperty(drawn, async ({ parents, teams, below, change }) => {
      const collections = ["c0", ...parents.map((_, index) => `c${index + 1}`)];
      const permissions = new Map(
        below.map(({ at, whom, role: own }) => {
          const content = collections[at % collections.length] ?? "c0";
          const who = TEAMS.includes(whom) ? { team: whom } : { user: whom };
          return [`${content} ${whom}`, given.onSpace(`s${content}`, who, own)] as const;
        }),
      );
      const base = [
        given.organization(),
        ...USERS.flatMap((id) => given.member(id, "read")),
        ...TEAMS.flatMap((id, index) => given.team(id, teams[index] ?? [], id)),
        ...collections.map((id, index) =>
          given.collection(id, index === 0 ? {} : { parent: `c${(parents[index - 1] ?? 0) % index}` }),
        ),
        ...collections.map((id) => given.space(`s${id}`, { parent: id })),
        ...permissions.values(),
        ...below
          .slice(0, 2)
          .map(({ whom, role: own }, index) =>
            given.onCollection(`c${index + 2}`, TEAMS.includes(whom) ? { team: whom } : { user: whom }, own),
          ),
      ];
      const next = [...base, given.onCollection(`c${change.at % 2}`, { team: change.team }, change.role)];
      const world = await World.open(ownPlace);
      try {
        const states = (await statesOf(world, [base, next], [true, false])).get("o") ?? [];
        const [first, last] = states;
        expect(states.length).toBe(2);
        if (first === undefined || last === undefined) return;
        await compare(world, first, last, [{}]);
        await compare(world, last, first, [{}]);
      } finally {
        await world.close();
      }
    }),
    { numRuns: 8 },
  );
});
