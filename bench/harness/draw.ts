import { type Random, hash, mulberry32, pick } from "../data/random.ts";
import { type Directory, type Holding, openDirectory } from "./directory.ts";
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
  /** `count` pages, among which a page may occur twice. */
  readonly places: (draw: Draw, count: number) => Place[];
  readonly close: () => void;
}

/** After this many draws of known pages, a known page is taken with a higher limit. */
const REDRAWS = 4;

function keyOf({ endpoint, id, role = "", after = "" }: Place, limit: number): string {
  return `${endpoint} ${id} ${role} ${after} ${limit}`;
}

/** The same seed draws the same pages in the same order. */
export function openDrawer(world: World): Drawer {
  const directory = openDirectory(world);
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
    places: (draw, count) => Array.from({ length: count }, () => draw(random)),
    close: () => directory.close(),
  };
}

function anywhere(directory: Directory, endpoint: Endpoint): Draw {
  const { spaces, collections, members, sites } = directory;
  switch (endpoint) {
    case 1:
    case 2:
      return (random) => listed(directory, endpoint, "space", pick(random, spaces), random);
    case 4:
    case 5:
      return (random) => listed(directory, endpoint, "collection", pick(random, collections), random);
    case 3:
      return (random) => ({ endpoint, id: pick(random, spaces).id, after: behind(members, random) });
    case 6:
      return (random) => ({ endpoint, id: pick(random, collections).id, after: behind(members, random) });
    case 7:
      return (random) => {
        const id = pick(random, members);
        // A guest has only three spaces, which are one page.
        return directory.guests.has(id)
          ? { endpoint, id }
          : { endpoint, id, after: newerThan(directory, random) };
      };
    case 8:
      return (random) => ({ endpoint, id: pick(random, sites), after: behind(members, random) });
    case 9:
      return (random) => ({ endpoint, id: pick(random, members) });
  }
}

/** Draws a page of the users or teams with a permission on a content; the page is full if the list is long enough. */
export function listed(
  directory: Directory,
  endpoint: 1 | 2 | 4 | 5,
  kind: "space" | "collection",
  { id, users, teams }: Holding,
  random: Random,
): Place {
  const ofUsers = endpoint === 1 || endpoint === 5;
  const start = Math.floor(random() * ((ofUsers ? users : teams) - LIMIT + 1));
  if (start <= 0) return { endpoint, id };
  const entryAt = ofUsers ? directory.userAt : directory.teamAt;
  return { endpoint, id, after: entryAt(`${kind}/${id}`, start - 1) };
}

/**
 * Draws a key at a random depth, but not among the last ones, so that the page after it is full in a list of everybody.
 */
export function behind(keys: readonly string[], random: Random, from = 0, to = 1): string {
  const last = Math.max(1, keys.length - 2 * LIMIT);
  const key = keys[Math.floor((from + random() * (to - from)) * last)];
  if (key === undefined) throw new RangeError("no keys to draw from");
  return key;
}

/** Draws a position at a random depth of a member's spaces, which are listed newest first. */
export function newerThan({ positions }: Directory, random: Random): string {
  const first = Math.min(2 * LIMIT, positions.length >> 1);
  return pick(random, positions.slice(first)) ?? "";
}
