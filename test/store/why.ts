import { plain } from "../../src/domain/reason.ts";
import type { Explanation } from "../../src/domain/why.ts";
import { explanationOf, type ContentOrSite } from "../../src/model/why.ts";
import { modelOf } from "../../src/store/models.ts";
import type { Facts } from "../oracle/facts.ts";
import { type OpenPlace, World } from "../world.ts";

/** Explains a role in one organization of a world, at its current revision. Throws if the subject does not exist. */
export async function explainIn(
  world: World,
  organization: string,
  user: string,
  thing: ContentOrSite,
): Promise<Explanation> {
  const found = await world.store.registry.organization(organization);
  if (found === undefined) throw new Error(`no organization ${organization}`);
  const explanation = explanationOf(await modelOf(world.store.reading(found.current)), user, thing);
  if (explanation === undefined) throw new Error(`no ${thing.kind} ${thing.id}`);
  return explanation;
}

/** Every content and site of an organization. */
export function thingsOf(facts: Facts): ContentOrSite[] {
  return [
    ...contentsOf(facts),
    ...[...facts.sites.keys()].map((id): ContentOrSite => ({ kind: "site", id })),
  ];
}

export function contentsOf(facts: Facts): { kind: "space" | "collection"; id: string }[] {
  return [
    ...[...facts.spaces.keys()].map((id) => ({ kind: "space" as const, id })),
    ...[...facts.collections.keys()].map((id) => ({ kind: "collection" as const, id })),
  ];
}

export function textOf({ sentence }: Explanation): string {
  return plain(sentence);
}

/** Opens a world, calls `work`, and closes the world. */
export async function inWorld(open: OpenPlace, work: (world: World) => Promise<void>): Promise<void> {
  const world = await World.open(open);
  try {
    await work(world);
  } finally {
    await world.close();
  }
}
