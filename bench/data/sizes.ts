export type Size = "S" | "M" | "L";

export interface Counts {
  readonly members: number;
  readonly teams: number;
  readonly collections: number;
  readonly spaces: number;
  readonly sites: number;
  readonly teamMembers: number;
  readonly permissions: number;
}

/** The generator meets every number exactly. */
export const SIZES: Readonly<Record<Size, Counts>> = {
  S: {
    members: 1_000,
    teams: 20,
    collections: 20,
    spaces: 200,
    sites: 5,
    teamMembers: 3_000,
    permissions: 2_000,
  },
  M: {
    members: 50_000,
    teams: 200,
    collections: 500,
    spaces: 5_000,
    sites: 20,
    teamMembers: 200_000,
    permissions: 200_000,
  },
  L: {
    members: 1_000_000,
    teams: 1_000,
    collections: 5_000,
    spaces: 100_000,
    sites: 50,
    teamMembers: 3_000_000,
    permissions: 2_000_000,
  },
};

/** Parses a size. Throws a RangeError that names the three sizes. */
export function parseSize(text: string): Size {
  if (text === "S" || text === "M" || text === "L") return text;
  throw new RangeError(`size is ${JSON.stringify(text)}; accepted are S, M and L`);
}
