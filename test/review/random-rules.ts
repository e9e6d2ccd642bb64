import * as fc from "fast-check";
import type { Facts } from "../oracle/facts.ts";
import type { Exception, Rule, What, Who } from "../oracle/reviews/rules.ts";
import { ROLES } from "../oracle/records.ts";

/** Draws a value from an arbitrary, within a property. */
export type Draw = <T>(arbitrary: fc.Arbitrary<T>) => T;

/** The day on which random rules are checked: exceptions end before, on and after it. */
export const DAY = "2026-06-15";
const DAYS = ["2026-06-14", "2026-06-15", "2026-06-16", "2024-02-29"];

/** What rules may name. */
export type Named = Pick<Facts, "teams" | "members" | "spaces" | "collections" | "sites">;

/** Random rules for an organization. Some name what never was there. */
export function randomRules(facts: Named, draw: Draw, count: number): Rule[] {
  return Array.from({ length: count }, (_, index) => randomRule(facts, draw, `Rule ${index}`));
}

function randomRule(facts: Named, draw: Draw, rule: string): Rule {
  const chance = (times: number) => draw(fc.nat({ max: times - 1 })) === 0;
  const onOrganization = chance(5);
  const what = onOrganization ? "organization" : randomWhat(facts, draw, 3);
  const number = draw(fc.nat({ max: 4 }));
  const how = draw(
    fc.constantFrom<Rule["how"]>(
      "none",
      "none",
      "only",
      "all",
      { "at least": number + 1 },
      { "at most": number },
    ),
  );
  const roles = onOrganization ? ["guest", ...ROLES] : [...ROLES];
  const role = draw(fc.constantFrom(...roles));
  const other = draw(fc.constantFrom(...roles.slice(roles.indexOf(role))));
  const range = draw<Pick<Rule, "role" | "from" | "to">>(
    fc.constantFrom<Pick<Rule, "role" | "from" | "to">>(
      {},
      {},
      { role: role },
      { from: role },
      { to: role },
      {
        from: role,
        to: other,
      },
    ),
  );
  const isAtLeast = typeof how === "object" && "at least" in how;
  const except = Array.from({ length: chance(2) ? draw(fc.nat({ max: 3 })) : 0 }, (): Exception => {
    const who = isAtLeast ? {} : { who: randomWho(facts, draw, 2) };
    const where = onOrganization || (!isAtLeast && chance(2)) ? {} : { what: randomWhat(facts, draw, 2) };
    return { ...who, ...where, until: draw(fc.constantFrom(...DAYS)), reason: "it is so" };
  }).filter(({ who, what }) => who !== undefined || what !== undefined);
  return {
    rule,
    ...(chance(3) ? {} : { who: randomWho(facts, draw, 3) }),
    what,
    how,
    ...range,
    ...(!onOrganization && chance(4) ? { permissions: "direct" as const } : {}),
    ...(except.length === 0 ? {} : { except }),
  };
}

function randomWho(facts: Named, draw: Draw, depth: number): Who {
  const inner = (): Who => randomWho(facts, draw, depth - 1);
  const several = () => Array.from({ length: draw(fc.integer({ min: 1, max: 3 })) }, inner);
  switch (draw(fc.nat({ max: depth === 0 ? 5 : 8 }))) {
    case 0:
      return "everybody";
    case 1:
      return "guests";
    case 2:
      return { role: draw(fc.constantFrom<string | string[]>(...ROLES, ["admin", "edit"])) };
    case 3:
      return { team: idOf([...facts.teams.keys()], draw) };
    case 4:
    case 5:
      return { user: idOf([...facts.members.keys()], draw) };
    case 6:
      return { "everybody but": inner() };
    case 7:
      return { "all of": several() };
    default:
      return several();
  }
}

function randomWhat(facts: Named, draw: Draw, depth: number): What {
  const inner = (): What => randomWhat(facts, draw, depth - 1);
  switch (draw(fc.nat({ max: depth === 0 ? 6 : 8 }))) {
    case 0:
    case 1:
      return "everything";
    case 2:
      return "sites";
    case 3:
      return { space: idOf([...facts.spaces.keys()], draw) };
    case 4:
      return { collection: idOf([...facts.collections.keys()], draw) };
    case 5:
      return { below: idOf([...facts.collections.keys()], draw) };
    case 6:
      return { site: idOf([...facts.sites.keys()], draw) };
    case 7:
      return { "everything but": inner() };
    default:
      return Array.from({ length: draw(fc.integer({ min: 1, max: 3 })) }, inner);
  }
}

/** One id or several; rarely an absent one. */
function idOf(ids: readonly string[], draw: Draw): string | string[] {
  if (ids.length === 0 || draw(fc.nat({ max: 30 })) === 0) return "not-there";
  const one = draw(fc.constantFrom(...ids));
  return draw(fc.nat({ max: 3 })) === 0 ? [one, draw(fc.constantFrom(...ids))] : one;
}
