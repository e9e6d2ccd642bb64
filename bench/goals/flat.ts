/** Goal 3: a page costs the same in every size and at every depth. */
import type { Bench } from "../work/bench.ts";
import { type Cost, type Side, costs, cpuRatio } from "../work/cost.ts";
import { type Draw, type Drawer, LIMIT, behind, newerThan } from "../work/draw.ts";
import type { Holding } from "../work/directory.ts";
import { type Section, type Table, type Verdict, few, worst } from "../work/section.ts";
import { spread } from "../figures/spread.ts";
import { pick } from "../data/random.ts";

/** One kind of pages, whose cost is compared between sizes. */
interface Shape {
  readonly name: string;
  /** The largest allowed ratio of CPU at the largest size to CPU at the smallest. */
  readonly most: number;
  readonly limit?: number;
  readonly draw: (drawer: Drawer, smallest: Drawer) => Draw;
}

const SHAPES: readonly Shape[] = [
  { name: "aggregate of an open space", most: 1.5, draw: (drawer) => open(drawer, 3) },
  { name: "aggregate of an open collection", most: 1.5, draw: (drawer) => open(drawer, 6) },
  {
    name: "aggregate of a site",
    most: 1.5,
    draw: ({ directory, world }, smallest) => {
      // Takes the site whose number of spaces is nearest to that of the smallest organization's ordinary site.
      const like = smallest.directory.spacesOf(smallest.world.marks.ordinarySite);
      const { openSite, closedSite, guestSite } = world.marks;
      const [nearest] = directory.sites
        .filter((site) => ![openSite, closedSite, guestSite].includes(site))
        .map((site) => ({ site, far: Math.abs(directory.spacesOf(site) - like) }))
        .sort((a, b) => a.far - b.far);
      const id = nearest?.site ?? "";
      return (random) => ({ endpoint: 8, id, after: behind(directory.members, random) });
    },
  },
  {
    name: "spaces of an ordinary member",
    most: 1.5,
    draw:
      ({ directory }) =>
      (random) => {
        const id = pick(random, directory.members);
        return directory.guests.has(id)
          ? { endpoint: 7, id: directory.busiest, after: newerThan(directory, random) }
          : { endpoint: 7, id, after: newerThan(directory, random) };
      },
  },
  {
    name: "users on the space with many direct permissions (sparse)",
    most: 4,
    draw: (drawer) => direct(drawer),
  },
  {
    name: "aggregate of an open space with few permissions, `role=create`, 20 a page (sparse)",
    most: 4,
    limit: 20,
    draw: ({ directory }, smallest) => {
      // Without inheritance, a page folds the same number of sets in every size.
      const isSparse = ({ open, alone, teams }: Holding) => open && alone && teams < 2;
      // The smallest organization has only a few such spaces, so its pages find heads in the cache. All sizes draw from
      // equally many.
      const count = smallest.directory.spaces.filter(isSparse).length;
      const spaces = directory.spaces.filter(isSparse).slice(0, count);
      // One in twenty members has this role, so half of the smallest list still fills a page.
      return (random) => ({
        endpoint: 3,
        id: pick(random, spaces).id,
        role: "create",
        after: behind(directory.members, random, 0, 0.5),
      });
    },
  },
];

export async function flat(bench: Bench): Promise<Section> {
  const rows: string[][] = [
    ["pages", "size", "entries", "rows read", "CPU µs", "ms", "CPU, × the smallest size"],
  ];
  const byRows: Verdict[] = [];
  const byCpu: Verdict[] = [];
  for (const shape of SHAPES) {
    const found = await costs(await Promise.all(bench.worlds.map((world) => sideOf(bench, shape, world))));
    const [smallest] = found;
    for (const [index, cost] of found.entries()) {
      rows.push([
        index === 0 ? shape.name : "",
        ...cells(cost),
        index === 0 ? "1" : few(cpuRatio(cost, smallest)),
      ]);
    }
    const largest = found.at(-1);
    if (largest === undefined || smallest === undefined) throw new Error("no size was measured");
    const growth = largest.rows / largest.items / (smallest.rows / smallest.items);
    byRows.push({ what: shape.name, figure: spread([growth]), bound: { side: "most", value: 1.1 } });
    byCpu.push({
      what: shape.name,
      figure: cpuRatio(largest, smallest),
      bound: { side: "most", value: shape.most },
    });
    bench.note(`3 ${shape.name}: rows × ${growth.toFixed(2)}, CPU × ${few(cpuRatio(largest, smallest))}`);
  }
  const { table, verdicts } = await deep(bench);
  const driven = byCpu.filter(({ bound }) => bound.value < 4);
  const sparse = byCpu.filter(({ bound }) => bound.value === 4);
  const sizes = `${bench.largest.size} by ${bench.worlds[0]?.size ?? ""}`;
  return {
    title: "3. Flat",
    parts: [
      "Pages of 50 at a random depth, never requested before, one at a time. CPU is that of the whole server process; on PostgreSQL, of all its processes too. Rows are those read from the database, as the server counts them; the goal is for rows per entry of a page.",
      rows,
      "A page after 99 % of the list, compared with the first one. Both were never requested before, so every page is of another content:",
      table,
    ],
    verdicts: [
      { ...worst(byRows), what: `rows read an entry, ${sizes}, the worst: ${worst(byRows).what}` },
      { ...worst(driven), what: `CPU, ${sizes}, lists of most members: ${worst(driven).what}` },
      { ...worst(sparse), what: `CPU, ${sizes}, sparse lists: ${worst(sparse).what}` },
      { ...worst(verdicts), what: `CPU behind 99 % by the first page: ${worst(verdicts).what}` },
    ],
  };
}

/** The pages of one shape in one size, the warm-up round first. */
async function sideOf(bench: Bench, shape: Shape, world: Bench["largest"]): Promise<Side> {
  const drawer = bench.drawerOf(world);
  const draw = shape.draw(drawer, bench.drawerOf(bench.worlds[0] ?? world));
  const pages = () => drawer.fresh(draw, bench.batch, shape.limit ?? LIMIT);
  return {
    name: world.size,
    server: await bench.serverOf(world),
    token: world.token,
    rounds: Array.from({ length: bench.timing.rounds + 1 }, pages),
  };
}

async function deep(bench: Bench): Promise<{ table: Table; verdicts: Verdict[] }> {
  const world = bench.largest;
  const drawer = bench.drawerOf(world);
  const { directory } = drawer;
  const server = await bench.serverOf(world);
  const kinds: { name: string; first: Draw; last: Draw }[] = [
    { name: "aggregate of an open space", ...ends(drawer, open(drawer, 3)) },
    { name: "aggregate of an open collection", ...ends(drawer, open(drawer, 6)) },
    {
      name: "spaces of a member",
      first: (random) => ({ endpoint: 7, id: insider(drawer)(random) }),
      last: (random) => ({
        endpoint: 7,
        id: insider(drawer)(random),
        after: directory.positions[Math.max(2 * LIMIT, directory.positions.length / 100)] ?? "",
      }),
    },
  ];
  const table: string[][] = [
    ["pages", "depth", "entries", "rows read", "CPU µs", "ms", "CPU, × the first page"],
  ];
  const verdicts: Verdict[] = [];
  for (const { name, first, last } of kinds) {
    const sides = [
      { name: "first", draw: first },
      { name: "99 %", draw: last },
    ].map((side) => ({
      name: side.name,
      server,
      token: world.token,
      rounds: Array.from({ length: bench.timing.rounds + 1 }, () => drawer.fresh(side.draw, bench.batch)),
    }));
    const found = await costs(sides);
    const figure = cpuRatio(found[1], found[0]);
    for (const [index, cost] of found.entries()) {
      table.push([index === 0 ? name : "", ...cells(cost), index === 0 ? "1" : few(figure)]);
    }
    verdicts.push({ what: name, figure, bound: { side: "most", value: 1.2 } });
    bench.note(`3 ${name}, behind 99 %: CPU × ${few(figure)}`);
  }
  return { table, verdicts };
}

function ends({ directory }: Drawer, draw: Draw): { first: Draw; last: Draw } {
  return {
    first: (random) => ({ ...draw(random), after: undefined }),
    last: (random) => ({ ...draw(random), after: behind(directory.members, random, 0.99, 0.99) }),
  };
}

/** Draws a content that is open to members without a permission. */
function open({ directory }: Drawer, endpoint: 3 | 6): Draw {
  const list = (endpoint === 3 ? directory.spaces : directory.collections).filter(({ open }) => open);
  return (random) => ({ endpoint, id: pick(random, list).id, after: behind(directory.members, random) });
}

function insider({ directory }: Drawer): (random: () => number) => string {
  return (random) => {
    const id = pick(random, directory.members);
    return directory.guests.has(id) ? directory.busiest : id;
  };
}

function direct({ directory, world }: Drawer): Draw {
  const direct = directory.spaces.find(({ id }) => id === world.marks.directSpace);
  if (direct === undefined) throw new Error("the space with many direct permissions is missing");
  return (random) => {
    const start = Math.floor(random() * (direct.users - LIMIT));
    const after = start === 0 ? undefined : directory.userAt(`space/${direct.id}`, start - 1);
    return { endpoint: 1, id: direct.id, after };
  };
}

function cells({ name, items, rows, cpu, milliseconds }: Cost): string[] {
  return [name, items.toFixed(1), rows.toFixed(1), few(spread(cpu)), few(spread(milliseconds))];
}
