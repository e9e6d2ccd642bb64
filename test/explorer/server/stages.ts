/** Random organizations in several states, and who differs between two of them, by the oracle. */
import * as fc from "fast-check";
import { effectiveOf } from "../../oracle/effective.ts";
import { evolution } from "../../oracle/random/evolve.ts";
import { type Content, type Facts, factsOf, organizationIds } from "../../oracle/facts.ts";
import { organizations } from "../../oracle/random/organizations.ts";
import { ROLES, type SnapshotRecord } from "../../oracle/records.ts";
import { drawUntil } from "../../setup/seed.ts";
import { ownPlace, World } from "../../world.ts";
import { holds } from "../../setup/property.ts";

/** Few runs, because each makes many requests. */
const RUNS = Math.min(2, Number(process.env.ROLEBOOK_TEST_RUNS ?? 2));
export const DIRECTIONS = ["lost", "lowered", "raised", "gained"] as const;
export type Direction = (typeof DIRECTIONS)[number];

export const contentsOf = (facts: Facts): Content[] => [
  ...[...facts.collections.keys()].map((id): Content => ({ kind: "collection", id })),
  ...[...facts.spaces.keys()].map((id): Content => ({ kind: "space", id })),
];

function rankOf(facts: Facts, user: string, content: Content): number {
  const there = content.kind === "space" ? facts.spaces : facts.collections;
  if (!there.has(content.id) || !facts.members.has(user)) return 0;
  const found = effectiveOf(facts, user, content);
  return found === null ? 0 : ROLES.indexOf(found.role) + 1;
}

/** Every difference between two states, by content and user: "space/s ana gained 0 3". */
export function differences(
  before: Facts,
  after: Facts,
): { content: string; user: string; direction: Direction }[] {
  const keys = new Map(
    [...contentsOf(before), ...contentsOf(after)].map((each) => [`${each.kind}/${each.id}`, each]),
  );
  const users = new Set([...before.members.keys(), ...after.members.keys()]);
  return [...keys].flatMap(([content, each]) =>
    [...users].flatMap((user) => {
      const [was, is] = [rankOf(before, user, each), rankOf(after, user, each)];
      if (was === is) return [];
      const direction: Direction = was === 0 ? "gained" : is === 0 ? "lost" : was < is ? "raised" : "lowered";
      return [{ content, user, direction }];
    }),
  );
}

export function countsOf(found: readonly { direction: Direction }[]): Record<Direction, number> {
  const count = (wanted: Direction) => found.filter(({ direction }) => direction === wanted).length;
  return { lost: count("lost"), lowered: count("lowered"), raised: count("raised"), gained: count("gained") };
}

export async function answer<Answer>(world: World, path: string, token: string): Promise<Answer> {
  const { status, body } = await world.get(path, token);
  if (status !== 200) throw new Error(`GET ${path}: ${status} ${body}`);
  const parsed: Answer = JSON.parse(body);
  return parsed;
}

export interface Stage {
  readonly facts: Facts;
  readonly revision: number;
  readonly importedAt: string;
}

/**
 * Imports random organizations in three states, and calls `check` with the revisions that these made. Goes on with the
 * organizations of further seeds until two states differed and `isEnough`, so that no seed leaves a test without a case.
 */
export async function staged(
  check: (world: World, stages: readonly Stage[], token: string) => Promise<void>,
  isEnough = () => true,
): Promise<void> {
  let compared = 0;
  await drawUntil(
    () => compared > 0 && isEnough(),
    async (seed) => {
      compared += await stagedFrom(seed, check);
    },
  );
}

/** Returns how many states differed from the ones before them. */
async function stagedFrom(
  seed: number,
  check: (world: World, stages: readonly Stage[], token: string) => Promise<void>,
): Promise<number> {
  let compared = 0;
  await using world = Object.assign(await World.open(ownPlace), {
    [Symbol.asyncDispose]: () => world.close(),
  });
  await holds(
    fc.asyncProperty(
      organizations({ minMembers: 2, minContents: 2, minPermissions: 3 }),
      fc.array(evolution, { minLength: 2, maxLength: 2 }),
      async (records: SnapshotRecord[], evolutions) => {
        const stages = new Map<string, Stage[]>();
        let now = records;
        for (const evolve of [(same: typeof records) => same, ...evolutions]) {
          now = evolve(now);
          await world.import(now);
          for (const organization of organizationIds(now)) {
            const { current } = (await world.store.registry.organization(organization)) ?? {};
            const known = stages.get(organization) ?? [];
            stages.set(organization, known);
            // A state that changed nothing made no revision.
            if (known.at(-1)?.revision === current?.revision) continue;
            const { revision = 0, importedAt = "" } = current ?? {};
            known.push({ facts: factsOf(now, organization), revision, importedAt });
          }
        }
        for (const [organization, known] of stages) {
          await check(world, known, await world.token(organization));
          compared += known.length - 1;
        }
      },
    ),
    { numRuns: RUNS, seed },
  );
  return compared;
}
