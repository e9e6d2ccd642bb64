import { rank, type Role, ROLES } from "../../../domain/role.ts";
import type { ContentKey } from "../../../domain/content.ts";
import type { CacheKind } from "../../../store/cache/cache.ts";
import { AccessQuery, foldingOf, plainQuery } from "../../../store/listings/access-query/query.ts";
import { type QueryStep, SetNames } from "../../../store/listings/access-query/steps.ts";
import { ladderFor } from "../../../store/directory/inheritance.ts";
import type { Reading } from "../../../store/reading.ts";
import { MEMBERS, memberSets, SPACES, spaceSets } from "../../../store/schema/set-names.ts";
import { NamedSets } from "../../../store/sets/named-sets.ts";
import { collectionsOfTeam } from "./team-collections.ts";

const KIND: CacheKind<AccessQuery> = { name: "team-query", bytes: ({ bytes }) => bytes };

/** Selects the members of a team with their effective roles on a content; `undefined` if the content does not exist. */
export async function membersOn(
  reading: Reading,
  key: ContentKey,
  team: string,
): Promise<AccessQuery | undefined> {
  const ladder = await ladderFor(reading, key);
  if (ladder === undefined) return undefined;
  return reading.cache.once(KIND, reading.at, `${key} ${team}`, async () => {
    const folding = foldingOf([ladder], memberSets.ofTeam(team));
    return new AccessQuery(MEMBERS, () => folding);
  });
}

/** The role of the team's permission that is nearest on the ladder; `undefined` if the team has none. */
export async function roleOfTeam(reading: Reading, key: ContentKey, team: string): Promise<Role | undefined> {
  const ladder = await ladderFor(reading, key);
  return ladder?.find(({ teams }) => teams.has(team))?.teams.get(team);
}

/** Selects the spaces to which a team's permissions give access, each with the role of the nearest permission. */
export function openedBy(reading: Reading, team: string): Promise<AccessQuery> {
  return reading.cache.once(KIND, reading.at, `opened ${team}`, async () => {
    const names = new SetNames();
    const steps: QueryStep[] = [];
    const take = (name: string, role: Role) => steps.push({ set: names.of(name), result: rank(role) });
    for (const role of ROLES) take(spaceSets.givenToTeam(team, role), role);
    for (const { collection, role } of await collectionsOfTeam(reading, team)) {
      take(spaceSets.under(collection), role);
    }
    return plainQuery(SPACES, steps, new NamedSets(SPACES, names.names));
  });
}
