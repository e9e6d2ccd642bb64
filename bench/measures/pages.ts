/** What a page costs in every size, at every depth, and in the hardest cases: pages of 50, never asked for before. */
import { lengthOf } from "../../src/model/lists.ts";
import { findSite, memberId, type Model, NOTHING } from "../../src/model/model.ts";
import { byCreation, sortKeyIn } from "../../src/model/spaces.ts";
import { pick } from "../data/random.ts";
import type { Bench } from "../harness/bench.ts";
import { costs, type Seen, seen } from "../harness/cost.ts";
import type { Holding } from "../harness/directory.ts";
import { behind, type Draw, type Drawer, LIMIT, listed, newerThan } from "../harness/draw.ts";
import type { Put } from "../harness/result.ts";
import { ratio } from "../harness/spread.ts";

/** One kind of pages. */
export interface Kind {
  readonly name: string;
  /** The name of the kind with which it is compared. */
  readonly than?: string;
  readonly limit?: number;
  readonly draw: (drawer: Drawer, smallest: Drawer) => Draw;
}

export const KINDS: readonly Kind[] = [
  { name: "open space", draw: (drawer) => aggregate(drawer, 3, true) },
  { name: "open space, first page", draw: (drawer) => first(aggregate(drawer, 3, true)) },
  {
    name: "open space, after 99 %",
    than: "open space, first page",
    draw: (drawer) => {
      const { model } = drawer.directory;
      const draw = aggregate(drawer, 3, true);
      return (random) => ({ ...draw(random), after: behind(model, random, 0.99, 0.99) });
    },
  },
  { name: "closed space", draw: (drawer) => aggregate(drawer, 3, false) },
  { name: "open collection", draw: (drawer) => aggregate(drawer, 6, true) },
  { name: "site", draw: (drawer, smallest) => at(drawer, 8, likeSite(drawer, smallest)) },
  { name: "spaces of a member", draw: insider },
  { name: "spaces of a member, first page", draw: (drawer) => first(insider(drawer)) },
  {
    name: "spaces of a member, after 99 %",
    than: "spaces of a member, first page",
    draw: (drawer) => {
      const { model } = drawer.directory;
      const { order } = byCreation(model);
      const after = sortKeyIn(model, order[Math.max(2 * LIMIT, Math.floor(order.length / 100))] ?? 0);
      return (random) => ({ ...insider(drawer)(random), after });
    },
  },
  { name: "users on the space with permissions for a fifth of all", draw: direct },
  { name: "role=create on an open space, 20 a page", limit: 20, draw: fewWithRole },
  {
    name: "closed space with every team",
    than: "closed space",
    draw: (drawer) => at(drawer, 3, drawer.world.marks.manyTeamsSpace),
  },
  {
    name: "open space with every team",
    than: "open space",
    draw: (drawer) => at(drawer, 3, drawer.world.marks.manyTeamsOpenSpace),
  },
  {
    name: "spaces of a guest with three",
    than: "spaces of a member",
    draw: ({ directory, world }) => {
      const guests = directory.guests.filter((id) => id !== world.marks.halfGuest);
      return (random) => ({ endpoint: 7, id: pick(random, guests) });
    },
  },
  {
    name: "spaces of the member with permissions on a tenth",
    than: "spaces of a member",
    draw:
      ({ directory, world }) =>
      (random) => ({ endpoint: 7, id: world.marks.heavyMember, after: newerThan(directory.model, random) }),
  },
  {
    name: "site of 500 open spaces",
    than: "site",
    draw: (drawer) => at(drawer, 8, drawer.world.marks.openSite),
  },
  {
    name: "site of 500 closed spaces",
    than: "site",
    draw: (drawer) => at(drawer, 8, drawer.world.marks.closedSite),
  },
];

/** Measures every kind in every size. A ratio is of two figures of the same round. */
export async function pages(bench: Bench, put: Put): Promise<void> {
  const drawers = await Promise.all(bench.worlds.map((world) => bench.drawerOf(world)));
  const [smallest] = drawers;
  if (smallest === undefined) throw new RangeError("no size was asked for");
  const sides = await Promise.all(
    KINDS.flatMap((kind) =>
      drawers.map(async (drawer) => {
        const { size, token } = drawer.world;
        const next = nextOf(kind, drawer, smallest, bench.pages);
        return { kind, size, server: await bench.serverOf(drawer.world), token, next };
      }),
    ),
  );
  const means: Seen[] = [];
  for (const side of sides) means.push(await seen(side));
  // The goals are stated for one page at a time; a server that need not wake for each would hide what does not grow.
  const found = await costs(bench, sides, 1);
  const costOf = (name: string | undefined, size: string): number[] =>
    found[sides.findIndex((side) => side.kind.name === name && side.size === size)]?.process ?? [];
  for (const [index, { kind, size }] of sides.entries()) {
    const { name, than } = kind;
    const cost = costOf(name, size);
    put(size, name, "entries", means[index]?.entries ?? 0);
    put(size, name, "CPU µs", cost);
    if (size !== smallest.world.size)
      put(size, name, `CPU, × size ${smallest.world.size}`, ratio(cost, costOf(name, smallest.world.size)));
    if (than === undefined) continue;
    const what = `CPU, × ${than.includes("first") ? "the first page" : "an ordinary one"}`;
    put(size, name, what, ratio(cost, costOf(than, size)));
  }
}

/** Draws the pages of a round. */
export function nextOf(
  { draw, limit = LIMIT }: Kind,
  drawer: Drawer,
  smallest: Drawer,
  count: number,
): () => string[] {
  const drawn = draw(drawer, smallest);
  return () => drawer.fresh(drawn, count, limit);
}

/** Pages of all open or closed spaces or collections. */
function aggregate({ directory }: Drawer, endpoint: 3 | 6, open: boolean): Draw {
  const all = endpoint === 3 ? directory.spaces : directory.collections;
  const list = all.filter((each) => each.open === open);
  return (random) => ({ endpoint, id: pick(random, list).id, after: behind(directory.model, random) });
}

function first(draw: Draw): Draw {
  return (random) => ({ ...draw(random), after: undefined });
}

/** Pages of one space or site. */
export function at({ directory }: Drawer, endpoint: 3 | 8, id: string): Draw {
  return (random) => ({ endpoint, id, after: behind(directory.model, random) });
}

/** The site whose number of spaces is nearest to that of the smallest organization's ordinary site. */
function likeSite({ directory: { model }, world }: Drawer, smallest: Drawer): string {
  const { openSite, closedSite, guestSite } = world.marks;
  const others = model.sites.ids.filter((site) => ![openSite, closedSite, guestSite].includes(site));
  const like = spacesOn(smallest.directory.model, smallest.world.marks.ordinarySite);
  const away = (site: string) => Math.abs(spacesOn(model, site) - like);
  return others.sort((a, b) => away(a) - away(b))[0] ?? "";
}

function spacesOn(model: Model, site: string): number {
  return lengthOf(model.sites.spaces, findSite(model, site) ?? 0);
}

function insider({ directory: { model, busiest } }: Drawer): Draw {
  return (random) => {
    const member = Math.floor(random() * model.members.count);
    const isGuest = model.members.roles[member] === NOTHING;
    return { endpoint: 7, id: isGuest ? busiest : memberId(model, member), after: newerThan(model, random) };
  };
}

function direct({ directory, world }: Drawer): Draw {
  const space = directory.spaces.find(({ id }) => id === world.marks.directSpace);
  if (space === undefined) throw new Error("the space with many direct permissions is missing");
  return (random) => listed(directory.model, 1, space, random);
}

function fewWithRole({ directory }: Drawer, smallest: Drawer): Draw {
  // Without inheritance, a page looks at the same number of lists in every size.
  const isSparse = ({ open, alone, teams }: Holding) => open && alone && teams < 2;
  // The smallest organization has only a few such spaces, so all sizes draw from equally many.
  const count = smallest.directory.spaces.filter(isSparse).length;
  const spaces = directory.spaces.filter(isSparse).slice(0, count);
  // One in twenty members has this role, so half of the smallest list still fills a page.
  return (random) => ({
    endpoint: 3,
    id: pick(random, spaces).id,
    role: "create",
    after: behind(directory.model, random, 0, 0.5),
  });
}
