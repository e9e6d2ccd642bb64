/** Goal 4: the special cases of the generated organization. */
import { pick } from "../data/random.ts";
import { spread } from "../figures/spread.ts";
import type { Bench } from "../work/bench.ts";
import { costs, cpuRatio } from "../work/cost.ts";
import { type Draw, type Drawer, behind, newerThan } from "../work/draw.ts";
import { type Section, type Verdict, few } from "../work/section.ts";
import { sparse } from "./sparse.ts";

interface Case {
  readonly name: string;
  readonly hard: Draw;
  readonly ordinary: Draw;
  readonly most: number;
}

export async function hard(bench: Bench): Promise<Section> {
  const world = bench.largest;
  const drawer = bench.drawerOf(world);
  const server = await bench.serverOf(world);
  const rows: string[][] = [["pages", "entries", "rows read", "CPU µs", "ms", "CPU, × ordinary"]];
  const verdicts: Verdict[] = [];
  for (const { name, hard, ordinary, most } of casesOf(drawer)) {
    const sides = [ordinary, hard].map((draw, index) => ({
      name: index === 0 ? "ordinary" : name,
      server,
      token: world.token,
      rounds: Array.from({ length: bench.timing.rounds + 1 }, () => drawer.fresh(draw, bench.batch)),
    }));
    const [usual, found] = await costs(sides);
    if (usual === undefined || found === undefined) throw new Error("a side is missing");
    const figure = cpuRatio(found, usual);
    for (const cost of [found, usual]) {
      const isHard = cost === found;
      rows.push([
        isHard ? name : "· an ordinary one",
        cost.items.toFixed(1),
        cost.rows.toFixed(1),
        few(spread(cost.cpu)),
        few(spread(cost.milliseconds)),
        isHard ? few(figure) : "1",
      ]);
    }
    verdicts.push({ what: `${name}, CPU by an ordinary page`, figure, bound: { side: "most", value: most } });
    bench.note(`4 ${name}: × ${few(figure)}`);
  }
  const filtered = await sparse(bench);
  return {
    title: "4. Hard cases",
    parts: [
      "Pages of 50 at a random depth, never requested before, compared with ordinary pages of the same endpoint in interleaved rounds. CPU is that of the whole process.",
      rows,
      ...filtered.parts,
    ],
    verdicts: [...verdicts, ...filtered.verdicts],
  };
}

function casesOf({ world, directory, anywhere }: Drawer): Case[] {
  const { marks } = world;
  const guests = [...directory.guests].filter((id) => id !== marks.halfGuest);
  const sites = directory.sites.filter(
    (id) => ![marks.openSite, marks.closedSite, marks.guestSite].includes(id),
  );
  const aggregates = (open: boolean): Draw => {
    const spaces = directory.spaces.filter((space) => space.open === open);
    return (random) => ({
      endpoint: 3,
      id: pick(random, spaces).id,
      after: behind(directory.members, random),
    });
  };
  const at =
    (endpoint: 3 | 8, id: string): Draw =>
    (random) => ({ endpoint, id, after: behind(directory.members, random) });
  const site: Draw = (random) => ({
    endpoint: 8,
    id: pick(random, sites),
    after: behind(directory.members, random),
  });
  const teams = directory.spaces.find(({ id }) => id === marks.manyTeamsSpace)?.teams ?? 0;
  return [
    {
      name: `aggregate of the closed space with ${teams} team permissions`,
      hard: at(3, marks.manyTeamsSpace),
      ordinary: aggregates(false),
      most: 2,
    },
    {
      name: `aggregate of the open space with ${teams} team permissions`,
      hard: at(3, marks.manyTeamsOpenSpace),
      ordinary: aggregates(true),
      most: 2,
    },
    {
      name: "spaces of a guest with three",
      hard: (random) => ({ endpoint: 7, id: pick(random, guests) }),
      ordinary: anywhere(7),
      most: 10,
    },
    {
      name: "spaces of the member with permissions on a tenth of them",
      hard: (random) => ({ endpoint: 7, id: marks.heavyMember, after: newerThan(directory, random) }),
      ordinary: anywhere(7),
      most: 10,
    },
    { name: "the site of open spaces", hard: at(8, marks.openSite), ordinary: site, most: 10 },
    { name: "the site of closed spaces", hard: at(8, marks.closedSite), ordinary: site, most: 10 },
  ];
}
