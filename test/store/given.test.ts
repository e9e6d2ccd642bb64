/** What rows list as text, read as a program would that takes the text apart first. */
import * as fc from "fast-check";
import { expect, test } from "vitest";
import { ROLES } from "../../src/domain/role.ts";
import { decodeTeams } from "../../src/store/codes.ts";
import { GivenTeams } from "../../src/store/given-teams.ts";
import { Sought } from "../../src/store/sought.ts";

/** Of few characters and many lengths, so that ids begin, end and contain each other. */
const id = fc.string({ unit: fc.constantFrom("a", "b", "1", "-"), minLength: 1, maxLength: 6 });
const ids = fc.uniqueArray(id, { maxLength: 20 });

test("the teams of a member that are sought are those that are in both lists", () => {
  fc.assert(
    fc.property(ids, ids, (listed, sought) => {
      expect(decodeTeams(listed.join(" "), new Sought(sought))).toEqual(
        listed.filter((team) => sought.includes(team)),
      );
    }),
    { numRuns: 2000 },
  );
});

test("what a team holds is the same whether it is looked for or read with all the others", () => {
  const given = fc.uniqueArray(fc.tuple(id, fc.constantFrom(...ROLES), fc.nat(200)), {
    maxLength: 12,
    selector: ([team]) => team,
  });
  fc.assert(
    fc.property(given, fc.array(id, { maxLength: 30 }), (held, asked) => {
      const text = held
        .map(([team, role, members]) => `${team} ${ROLES.indexOf(role) + 1} ${members}`)
        .join();
      const teams = new GivenTeams(text);
      const roles = new Map(held.map(([team, role]) => [team, role]));
      const wanted = [...asked, ...roles.keys()];
      expect(wanted.map((team) => teams.get(team))).toEqual(wanted.map((team) => roles.get(team)));
      expect(new Map(teams)).toEqual(roles);
      expect(teams.size).toBe(roles.size);
      expect(teams.sizes).toEqual(new Map(held.map(([team, , members]) => [team, members])));
    }),
    { numRuns: 1000 },
  );
});
