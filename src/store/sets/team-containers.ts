/**
 * Reads the containers of many teams in a chunk as one range of keys. Separate look-ups would take four times as long.
 */
import { limit } from "../../sets/limit.ts";
import { compareIds } from "../../domain/id.ts";
import { statement } from "../engine/engine.ts";
import type { Reading } from "../reading.ts";
import { holds } from "../schema/as-of.ts";
import { isTeamSet, type Universe } from "../schema/set-names.ts";
import type { ContainerRow } from "./container-row.ts";

/** The number of teams from which on a range is read. */
const MANY_TEAMS = limit("containers.many-teams", 64);

/** The maximum number of other teams' containers in the range, per wanted container. */
const OTHERS = 3;

/**
 * Returns one row: the names, the sizes in bytes and the concatenated containers, all in the same order. One row per
 * container would take three times as long.
 */
export const RANGE = statement<[names: string | null, sizes: string | null, bits: Uint8Array | null]>(
  ({ joinedBytes }) => `
    SELECT string_agg(read.name, ' '), string_agg(CAST(length(read.bits) AS text), ' '), ${joinedBytes("read.bits")}
      FROM (
        SELECT c.name, c.bits FROM container c
          WHERE ${holds("c")} AND c.universe = $3 AND c.chunk = $4 AND c.name >= $5 AND c.name <= $6
          LIMIT $7) read`,
);

/**
 * Reads the containers of teams as a range, until a range has too many containers of other teams. From then on, the
 * caller looks up each container.
 */
export class TeamContainers {
  readonly #universe: Universe;
  readonly #names: readonly string[];
  #ends: readonly [first: string, last: string] | undefined;
  #isScattered = false;

  /** `names` has the names of all sets that a caller may request. */
  constructor(universe: Universe, names: readonly string[]) {
    this.#universe = universe;
    this.#names = names;
  }

  /**
   * The containers of the given teams, and possibly of other teams, in some chunks. Returns `undefined` if the caller
   * must look up the containers.
   */
  async read(
    reading: Reading,
    chunks: readonly number[],
    teams: readonly string[],
  ): Promise<readonly ContainerRow[] | undefined> {
    // On a remote database, looking up all containers is one round trip.
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
      for (const [index, size] of sizes.split(" ").entries()) {
        const to = from + Number(size);
        rows.push([chunk, inRange[index] ?? "", bits.subarray(from, to)]);
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
