/** Random ladders of a site's spaces, and random members for whom the ladders are decided. */
import * as fc from "fast-check";
import type { ContentKey } from "../../src/domain/content.ts";
import type { Level } from "../../src/domain/ladder.ts";
import { type Role, ROLES } from "../../src/domain/role.ts";

const role = fc.constantFrom(...ROLES);
const TEAMS = ["A", "B", "C"];
const COLLECTIONS: readonly ContentKey[] = ["collection/A", "collection/B", "collection/C"];
const SPACES: readonly ContentKey[] = ["space/A", "space/B", "space/C", "space/D", "space/E"];

const levelOf = (content: ContentKey) =>
  fc.record({
    content: fc.constant(content),
    defaultLevel: fc.oneof(
      { weight: 3, arbitrary: fc.constant("inherit" as const) },
      fc.constant(null),
      role,
    ),
    teams: fc
      .dictionary(fc.constantFrom(...TEAMS), role, { maxKeys: 2 })
      .map((given) => new Map(Object.entries(given))),
  });

/** Random spaces. Each inherits from any of three collections, each of which is in the next one. */
export const sites = fc
  .record({
    collections: fc.tuple(...COLLECTIONS.map(levelOf)),
    spaces: fc.tuple(...SPACES.map((space) => fc.record({ level: levelOf(space), in: fc.nat(3) }))),
  })
  .map(({ collections, spaces }) =>
    spaces.map(({ level, in: place }): Level[] => {
      const ladder = [level, ...collections.slice(place)];
      const last = ladder.findIndex(({ defaultLevel }) => defaultLevel !== "inherit");
      return last < 0 ? ladder : ladder.slice(0, last + 1);
    }),
  );

export const subjects = fc.record({
  role: fc.option(role),
  teams: fc.subarray(TEAMS),
  direct: fc
    .dictionary(fc.constantFrom(...COLLECTIONS, ...SPACES, "space/elsewhere"), role, { maxKeys: 3 })
    .map((given) => new Map(Object.entries(given) as [ContentKey, Role][])),
});
