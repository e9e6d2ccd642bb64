/** Which packages of package-lock.json run with the program. */

/** A package, as a lock has it. */
interface Locked {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

export interface Lock {
  readonly lockfileVersion: number;
  /** By place, such as `node_modules/pg`. */
  readonly packages: Readonly<Record<string, Locked>>;
}

/** The program, under "", and the packages that it needs, directly or not, by their places in the lock. */
export function running({ packages }: Lock, program: Locked): Record<string, Locked> {
  const found = new Map([["", program]]);
  // A map's iteration meets what is added meanwhile.
  for (const [at, { dependencies, optionalDependencies }] of found) {
    for (const needed of Object.keys({ ...dependencies, ...optionalDependencies })) {
      const place = placeOf(packages, at, needed);
      found.set(place, packages[place] ?? {});
    }
  }
  return Object.fromEntries([...found].sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** Where Node finds a package for the one at `at`: in its own folder, or in that of one around it. */
function placeOf(packages: Lock["packages"], at: string, needed: string): string {
  for (let around = at; ; around = around.slice(0, Math.max(0, around.lastIndexOf("/node_modules/")))) {
    const place = around === "" ? `node_modules/${needed}` : `${around}/node_modules/${needed}`;
    if (place in packages) return place;
    if (around === "")
      throw new Error(`package-lock.json has no ${needed}, which ${at || "the program"} needs.`);
  }
}
