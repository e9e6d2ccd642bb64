import * as fc from "fast-check";
import { expect, test } from "vitest";
import { decide, type Subject } from "../../src/domain/access.ts";
import { contentKey } from "../../src/domain/content.ts";
import { rank, type Role, ROLES } from "../../src/domain/role.ts";
import { encodeDefaultLevel } from "../../src/store/codes.ts";
import { Content } from "../../src/store/content.ts";
import { siteTarget } from "../../src/store/site-target.ts";

const TEAMS = ["a", "b", "c", "d"];
const COLLECTIONS = 4;
const role = fc.constantFrom<Role>(...ROLES);
const level = fc.record({
  defaultLevel: fc.constantFrom<Role | "inherit" | null>("inherit", "inherit", "inherit", null, ...ROLES),
  teams: fc.uniqueArray(fc.tuple(fc.constantFrom(...TEAMS), role), { selector: ([team]) => team }),
});
/** Spaces in collections that lie in one another, as far up as levels inherit. */
const site = fc.record({
  collections: fc.array(level, { minLength: COLLECTIONS, maxLength: COLLECTIONS }),
  spaces: fc.array(fc.tuple(level, fc.nat(COLLECTIONS)), { maxLength: 8 }),
});
const member = fc.record({
  role: fc.option(role, { nil: null }),
  teams: fc.subarray(TEAMS),
  direct: fc.uniqueArray(fc.tuple(fc.nat(COLLECTIONS + 8), role), { selector: ([place]) => place }),
});

function contentOf(
  key: Content["content"],
  { defaultLevel, teams }: { defaultLevel: Role | "inherit" | null; teams: [string, Role][] },
): Content {
  const text = teams.map(([team, held]) => `${team} ${rank(held)} 1`).join();
  return new Content(key, [null, "", encodeDefaultLevel(defaultLevel), "0 0 0 0 0 0", text]);
}

test("a role on a site is the best of those that climbing every ladder gives", () => {
  fc.assert(
    fc.property(
      site,
      fc.array(member, { minLength: 1, maxLength: 6 }),
      ({ collections, spaces }, members) => {
        const above = collections.map((each, place) =>
          contentOf(contentKey("collection", `c${place}`), each),
        );
        const ladders = spaces.map(([own, depth], place) => {
          const ladder = [contentOf(contentKey("space", `s${place}`), own), ...above.slice(depth)];
          const end = ladder.findIndex((each) => each.defaultLevel !== "inherit");
          return end < 0 ? ladder : ladder.slice(0, end + 1);
        });
        const target = siteTarget("site", ladders);
        const contents = [...above, ...ladders.flatMap(([space]) => space ?? [])];
        for (const { direct, ...rest } of members) {
          const held = direct.flatMap(([place, given]) => {
            const content = contents[place];
            return content === undefined ? [] : [[content.content, given] as const];
          });
          const subject: Subject = { ...rest, direct: new Map(held) };
          const found = target.decide(subject);
          expect(found && [found.role, found.space, found.decision]).toEqual(bestOf(ladders, subject));
        }
      },
    ),
    { numRuns: 3000 },
  );
});

function bestOf(ladders: readonly (readonly Content[])[], subject: Subject): unknown {
  const all = ladders.flatMap((ladder) => {
    const decision = decide(ladder, subject);
    return decision === undefined ? [] : [[decision.role, ladder[0]?.content, decision] as const];
  });
  // Sorting keeps the order of spaces among those that give the same role.
  return all.sort(([a], [b]) => rank(b) - rank(a))[0];
}
