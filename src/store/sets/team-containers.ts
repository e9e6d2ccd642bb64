/** Reads the containers of very many teams in a chunk as one range: separate look-ups take four times as long. */
import { compareIds } from "../../domain/order.ts";
import { statement } from "../engine/engine.ts";
import type { Reading } from "../reading.ts";
import { holds } from "../schema/as-of.ts";
import { isTeamSet, type Universe } from "../schema/set-names.ts";
import type { ContainerRow } from "./container-row.ts";

/** With at least this many teams, their containers are read as a range. */
const MANY_TEAMS = 64;

/** The largest number of other teams' containers in the range, per wanted one. */
const OTHERS = 3;

/**
 * One row with the names, the sizes in bytes and the joined containers, all in the same order. One row per container
 * would take three times as long.
 */
export const RANGE = statement<[names: string | null, sizes: string | null, bits: Uint8Array | null]>(
  ({ joinedBytes }) => `
    SELECT string_agg(read.name, ' '), string_agg(CAST(length(read.bits) AS text), ' '), ${joinedBytes("read.bits")}
      FROM (
        SELECT c.name, c.bits FROM container c
          WHERE ${holds("c")} AND c.universe = $3 AND c.chunk = $4 AND c.name >= $5 AND c.name <= $6
          LIMIT $7) read`,
);

/** Reads the containers of teams as a range, and stops doing so after it found too many others in between. */
export class TeamContainers {
  readonly #universe: Universe;
  readonly #names: readonly string[];
  #ends: readonly [first: string, last: string] | undefined;
  #isScattered = false;

  /** `names` are all sets that may be requested. */
  constructor(universe: Universe, names: readonly string[]) {
    this.#universe = universe;
    this.#names = names;
  }

  /**
   * The containers of these teams, and possibly others, in some chunks; `undefined` if the caller must look them up.
   */
  async read(
    reading: Reading,
    chunks: readonly number[],
    teams: readonly string[],
  ): Promise<readonly ContainerRow[] | undefined> {
    // On a remote database, the caller's look-up is a single wait.
    if (this.#isScattered || reading.remote || teams.length < MANY_TEAMS) return undefined;
    const most = (1 + OTHERS) * teams.length;
    this.#ends ??= endsOf(this.#names.filter(isTeamSet));
    const rows: ContainerRow[] = [];
    for (const chunk of chunks) {
      const found = await reading.read(RANGE, ...reading.asOf, this.#universe, chunk, ...this.#ends, most);
      const [[listed = null, sizes = null, bits = null] = []] = found;
      if (listed === null || sizes === null || bits === null) continue;
      const inRange = listed.split(" ");
      this.#isScattered = inRange.length === most;
      if (this.#isScattered) return undefined;
      let from = 0;
      for (const [place, size] of sizes.split(" ").entries()) {
        const to = from + Number(size);
        rows.push([chunk, inRange[place] ?? "", bits.subarray(from, to)]);
        from = to;
      }
    }
    return rows;
  }
}

function endsOf(names: readonly string[]): readonly [first: string, last: string] {
  const sorted = names.toSorted(compareIds);
  return [sorted[0] ?? "", sorted.at(-1) ?? ""];
}
