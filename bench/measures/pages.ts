/** What a page costs in every size, at every depth, and in the hardest cases: pages of 50, never asked for before. */
import { pick } from "../data/random.ts";
import type { Bench } from "../harness/bench.ts";
import { costs, type Seen, seen } from "../harness/cost.ts";
import type { Holding } from "../harness/directory.ts";
import { behind, type Draw, type Drawer, LIMIT, newerThan } from "../harness/draw.ts";
import type { Put } from "../harness/result.ts";
import { ratio } from "../harness/spread.ts";

/** One kind of pages. */
interface Kind {
  readonly name: string;
  /** The name of the kind with which it is compared. */
  readonly than?: string;
  readonly limit?: number;
  readonly draw: (drawer: Drawer, smallest: Drawer) => Draw;
}

const KINDS: readonly Kind[] = [
  { name: "open space", draw: (drawer) => aggregate(drawer, 3, true) },
  // A small organization's contents are in memory after its first pages, a large one's only where few are asked for.
  { name: "one of 50 open spaces", draw: (drawer) => aggregate(drawer, 3, true, 50) },
  { name: "open space, first page", draw: (drawer) => first(aggregate(drawer, 3, true)) },
  {
    name: "open space, after 99 %",
    than: "open space, first page",
    draw:
      ({ directory: { members, spaces } }) =>
      (random) => ({
        endpoint: 3,
        id: pick(
          random,
          spaces.filter(({ open }) => open),
        ).id,
        after: behind(members, random, 0.99, 0.99),
      }),
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
      const { positions } = drawer.directory;
      const after = positions[Math.max(2 * LIMIT, Math.floor(positions.length / 100))] ?? "";
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
      const guests = [...directory.guests].filter((id) => id !== world.marks.halfGuest);
      return (random) => ({ endpoint: 7, id: pick(random, guests) });
    },
  },
  {
    name: "spaces of the member with permissions on a tenth",
    than: "spaces of a member",
    draw:
      ({ directory, world }) =>
      (random) => ({ endpoint: 7, id: world.marks.heavyMember, after: newerThan(directory, random) }),
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
export async function pages(bench: Bench, put: Put, only: RegExp = /./): Promise<void> {
  const drawers = bench.worlds.map((world) => bench.drawerOf(world));
  const [smallest] = drawers;
  if (smallest === undefined) throw new RangeError("no size was asked for");
  const kinds = KINDS.filter(({ name }) => only.test(name));
  const sides = await Promise.all(
    kinds.flatMap((kind) =>
      drawers.map(async (drawer) => {
        const { size, token } = drawer.world;
        const draw = kind.draw(drawer, smallest);
        const next = (count = bench.pages) => drawer.fresh(draw, count, kind.limit ?? LIMIT);
        return { kind, size, server: await bench.serverOf(drawer.world), token, next: () => next() };
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
    if (than !== undefined && kinds.some((each) => each.name === than))
      put(
        size,
        name,
        `CPU, × ${than.includes("first") ? "the first page" : "an ordinary one"}`,
        ratio(cost, costOf(than, size)),
      );
  }
}

/** Pages of all open or closed spaces or collections, or of the first `most`. */
function aggregate({ directory }: Drawer, endpoint: 3 | 6, open: boolean, most?: number): Draw {
  const all = endpoint === 3 ? directory.spaces : directory.collections;
  const list = all.filter((each) => each.open === open).slice(0, most);
  return (random) => ({ endpoint, id: pick(random, list).id, after: behind(directory.members, random) });
}

function first(draw: Draw): Draw {
  return (random) => ({ ...draw(random), after: undefined });
}

function at({ directory }: Drawer, endpoint: 3 | 8, id: string): Draw {
  return (random) => ({ endpoint, id, after: behind(directory.members, random) });
}

/** The site whose number of spaces is nearest to that of the smallest organization's ordinary site. */
function likeSite({ directory, world }: Drawer, smallest: Drawer): string {
  const like = smallest.directory.spacesOf(smallest.world.marks.ordinarySite);
  const { openSite, closedSite, guestSite } = world.marks;
  const [nearest = ""] = directory.sites
    .filter((site) => ![openSite, closedSite, guestSite].includes(site))
    .sort((a, b) => Math.abs(directory.spacesOf(a) - like) - Math.abs(directory.spacesOf(b) - like));
  return nearest;
}

function insider({ directory }: Drawer): Draw {
  return (random) => {
    const id = pick(random, directory.members);
    const member = directory.guests.has(id) ? directory.busiest : id;
    return { endpoint: 7, id: member, after: newerThan(directory, random) };
  };
}

function direct({ directory, world }: Drawer): Draw {
  const space = directory.spaces.find(({ id }) => id === world.marks.directSpace);
  if (space === undefined) throw new Error("the space with many direct permissions is missing");
  return (random) => {
    const start = Math.floor(random() * (space.users - LIMIT));
    const after = start === 0 ? undefined : directory.userAt(`space/${space.id}`, start - 1);
    return { endpoint: 1, id: space.id, after };
  };
}

function fewWithRole({ directory }: Drawer, smallest: Drawer): Draw {
  // Without inheritance, a page folds the same number of sets in every size.
  const isSparse = ({ open, alone, teams }: Holding) => open && alone && teams < 2;
  // The smallest organization has only a few such spaces, so all sizes draw from equally many.
  const count = smallest.directory.spaces.filter(isSparse).length;
  const spaces = directory.spaces.filter(isSparse).slice(0, count);
  // One in twenty members has this role, so half of the smallest list still fills a page.
  return (random) => ({
    endpoint: 3,
    id: pick(random, spaces).id,
    role: "create",
    after: behind(directory.members, random, 0, 0.5),
  });
}
