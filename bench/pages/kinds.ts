import { pick } from "../data/random.ts";
import { type Draw, type Drawer, behind, newerThan } from "../work/draw.ts";

/** One kind of pages, and how to draw them in each size. */
export interface PageKind {
  readonly name: string;
  readonly draw: (drawer: Drawer, smallest: Drawer) => Draw;
}

export const KINDS: readonly PageKind[] = [
  { name: "open space", draw: (drawer) => aggregate(drawer, 3, true) },
  { name: "closed space", draw: (drawer) => aggregate(drawer, 3, false) },
  { name: "open collection", draw: (drawer) => aggregate(drawer, 6, true) },
  { name: "closed collection", draw: (drawer) => aggregate(drawer, 6, false) },
  { name: "users on a space", draw: ({ anywhere }) => anywhere(1) },
  {
    name: "users on the space with many direct permissions",
    draw: ({ world, directory }) => at(directory, 1, world.marks.directSpace),
  },
  {
    name: "ordinary site",
    draw: ({ world, directory }, smallest) => {
      const like = smallest.directory.spacesOf(smallest.world.marks.ordinarySite);
      const { openSite, closedSite, guestSite } = world.marks;
      const [site = ""] = directory.sites
        .filter((each) => ![openSite, closedSite, guestSite].includes(each))
        .sort((a, b) => Math.abs(directory.spacesOf(a) - like) - Math.abs(directory.spacesOf(b) - like));
      return at(directory, 8, site);
    },
  },
  { name: "any site", draw: ({ anywhere }) => anywhere(8) },
  { name: "site of open spaces", draw: ({ world, directory }) => at(directory, 8, world.marks.openSite) },
  { name: "site of closed spaces", draw: ({ world, directory }) => at(directory, 8, world.marks.closedSite) },
  {
    name: "spaces of an ordinary member",
    draw:
      ({ directory }) =>
      (random) => {
        const drawn = pick(random, directory.members);
        const id = directory.guests.has(drawn) ? directory.busiest : drawn;
        return { endpoint: 7, id, after: newerThan(directory, random) };
      },
  },
  {
    name: "spaces of a guest with three",
    draw: ({ directory, world }) => {
      const guests = [...directory.guests].filter((id) => id !== world.marks.halfGuest);
      return (random) => ({ endpoint: 7, id: pick(random, guests) });
    },
  },
  {
    name: "spaces of the guest of half of them",
    draw:
      ({ directory, world }) =>
      (random) => ({ endpoint: 7, id: world.marks.halfGuest, after: newerThan(directory, random) }),
  },
  {
    name: "spaces of the member with a tenth of them",
    draw:
      ({ directory, world }) =>
      (random) => ({ endpoint: 7, id: world.marks.heavyMember, after: newerThan(directory, random) }),
  },
  {
    name: "closed space with every team",
    draw: ({ world, directory }) => at(directory, 3, world.marks.manyTeamsSpace),
  },
  {
    name: "open space with every team",
    draw: ({ world, directory }) => at(directory, 3, world.marks.manyTeamsOpenSpace),
  },
  {
    name: "role=create of an open space with few permissions",
    draw: ({ directory }) => {
      const spaces = directory.spaces.filter(({ open, alone, teams }) => open && alone && teams < 2);
      return (random) => ({
        endpoint: 3,
        id: pick(random, spaces).id,
        role: "create",
        after: behind(directory.members, random, 0, 0.5),
      });
    },
  },
  {
    name: "role=edit of any space",
    draw: ({ directory }) => {
      const { spaces } = directory;
      return (random) => ({
        endpoint: 3,
        id: pick(random, spaces).id,
        role: "edit",
        after: behind(directory.members, random, 0, 0.5),
      });
    },
  },
  {
    name: "role=review of the closed space with every team",
    draw: (drawer) => {
      const draw = at(drawer.directory, 3, drawer.world.marks.manyTeamsSpace);
      return (random) => ({ ...draw(random), role: "review" });
    },
  },
  {
    name: "later pages of the rare role",
    draw: ({ world }) => {
      const { space, role, keepers } = world.marks.sparse;
      return (random) => ({ endpoint: 3, id: space, role, after: pick(random, keepers) });
    },
  },
];

function aggregate({ directory }: Drawer, endpoint: 3 | 6, open: boolean): Draw {
  const list = (endpoint === 3 ? directory.spaces : directory.collections).filter(
    (each) => each.open === open,
  );
  return (random) => ({ endpoint, id: pick(random, list).id, after: behind(directory.members, random) });
}

function at(directory: Drawer["directory"], endpoint: 1 | 3 | 8, id: string): Draw {
  return (random) => ({ endpoint, id, after: behind(directory.members, random) });
}
