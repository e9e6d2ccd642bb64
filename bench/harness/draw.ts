import { memberId, type Model, NOTHING } from "../../src/model/model.ts";
import { byCreation, sortKeyIn } from "../../src/model/spaces.ts";
import { type Random, hash, mulberry32, pick } from "../data/random.ts";
import { modelIn } from "./database.ts";
import { type Directory, directoryOf, type Holding, teamAt, userAt } from "./directory.ts";
import { type Asked, type Endpoint, urlOf } from "./url.ts";
import type { World } from "./world.ts";

/** The page size for which the goals are stated. */
export const LIMIT = 50;

/** A drawn page without its limit: endpoint, subject and the key after which it begins. */
export type Place = Omit<Asked, "limit">;
export type Draw = (random: Random) => Place;

/** Draws random pages of one world. */
export interface Drawer {
  readonly world: World;
  readonly directory: Directory;
  /** Draws a page of any content, member or site of the organization, at a random depth. */
  readonly anywhere: (endpoint: Endpoint) => Draw;
  /**
   * `count` URLs that were not drawn before. If a listing has too few pages, a known page is drawn again with the next
   * higher limit: the server has not cached it, and a short list has the same entries.
   */
  readonly fresh: (draw: Draw, count: number, limit?: number) => string[];
}

/** After this many draws of known pages, a known page is taken with a higher limit. */
const REDRAWS = 4;

function keyOf({ endpoint, id, role = "", after = "" }: Place, limit: number): string {
  return `${endpoint} ${id} ${role} ${after} ${limit}`;
}

/** The same seed draws the same pages in the same order. */
export async function openDrawer(world: World): Promise<Drawer> {
  const directory = directoryOf(await modelIn(world));
  const random = mulberry32(hash(world.seed, 91, 0));
  const drawn = new Map<string, number>();
  return {
    world,
    directory,
    anywhere: (endpoint) => anywhere(directory, endpoint),
    fresh(draw, count, limit = LIMIT) {
      return Array.from({ length: count }, () => {
        let place = draw(random);
        for (let more = 0; more < REDRAWS && drawn.has(keyOf(place, limit)); more += 1) place = draw(random);
        const key = keyOf(place, limit);
        const times = drawn.get(key) ?? 0;
        drawn.set(key, times + 1);
        if (limit + times > 1000)
          throw new RangeError(`no page of endpoint ${place.endpoint} is left to ask for`);
        return urlOf({ ...place, limit: limit + times }, world.revision);
      });
    },
  };
}

function anywhere(directory: Directory, endpoint: Endpoint): Draw {
  const { model, spaces, collections } = directory;
  const { members, sites } = model;
  const anybody = (random: Random) => Math.floor(random() * members.count);
  switch (endpoint) {
    case 1:
    case 2:
    case 4:
    case 5: {
      const contents = endpoint < 3 ? spaces : collections;
      return (random) => listed(model, endpoint, pick(random, contents), random);
    }
    case 3:
    case 6: {
      const contents = endpoint === 3 ? spaces : collections;
      return (random) => ({ endpoint, id: pick(random, contents).id, after: behind(model, random) });
    }
    case 7:
      return (random) => {
        const member = anybody(random);
        const id = memberId(model, member);
        // A guest has only three spaces, which are one page.
        if (members.roles[member] === NOTHING) return { endpoint, id };
        return { endpoint, id, after: newerThan(model, random) };
      };
    case 8:
      return (random) => ({ endpoint, id: pick(random, sites.ids), after: behind(model, random) });
    case 9:
      return (random) => ({ endpoint, id: memberId(model, anybody(random)) });
  }
}

/** Draws a page of the users or teams with a permission on a content; the page is full if the list is long enough. */
export function listed(
  model: Model,
  endpoint: 1 | 2 | 4 | 5,
  { content, id, users, teams }: Holding,
  random: Random,
): Place {
  const ofUsers = endpoint === 1 || endpoint === 5;
  const start = Math.floor(random() * ((ofUsers ? users : teams) - LIMIT + 1));
  if (start <= 0) return { endpoint, id };
  return { endpoint, id, after: (ofUsers ? userAt : teamAt)(model, content, start - 1) };
}

/**
 * Draws a member at a random depth, but not among the last ones, so that the page after it is full in a list of
 * everybody.
 */
export function behind(model: Model, random: Random, from = 0, to = 1): string {
  const last = Math.max(1, model.members.count - 2 * LIMIT);
  return memberId(model, Math.floor((from + random() * (to - from)) * last));
}

/** Draws the key of a space at a random depth of a member's spaces, which are listed newest first. */
export function newerThan(model: Model, random: Random): string {
  const { order } = byCreation(model);
  const first = Math.min(2 * LIMIT, order.length >> 1);
  return sortKeyIn(model, order[first + Math.floor(random() * (order.length - first))] ?? 0);
}
