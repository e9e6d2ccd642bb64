/** What painting needs of a universe as a whole: its chunks, and the heads of the sets that its chunks keep. */
import { compareIds } from "../../domain/id.ts";
import { ROLES } from "../../domain/role.ts";
import { EMPTY, type Head, headOf } from "../../sets/head.ts";
import type { CacheKind } from "../cache.ts";
import { statement } from "../engine/engine.ts";
import type { Reading } from "../reading.ts";
import { holds } from "../schema/as-of.ts";
import {
  CLIMB_ENDS,
  MEMBERS,
  memberSets,
  NEXT_SLOT,
  SPACES,
  spaceSets,
  type Universe,
} from "../schema/set-names.ts";
import { HEADS } from "../sets/containers.ts";
import { catchUp } from "./catch-up.ts";

interface KeptUniverse {
  /**
   * The sets that give a slot its byte, by byte: of a member, the rank of the organization role, or {@link GUEST}; of a
   * space, the end of the climb, numbered from 1 as in {@link CLIMB_ENDS}. Byte 0 is nobody's.
   */
  readonly bytes: readonly (string | undefined)[];
  /** The names of the sets whose containers a chunk keeps: from `first` up to `end`. */
  readonly first: string;
  readonly end: string;
}

/** What chunks keep. Sets with other names are read when they are needed. */
export const KEPT: Readonly<Record<Universe, KeptUniverse>> = {
  [MEMBERS]: {
    bytes: [undefined, ...ROLES.map(memberSets.withRole), memberSets.withRole(null)],
    first: NEXT_SLOT,
    end: "team0",
  },
  [SPACES]: { bytes: [undefined, ...CLIMB_ENDS.map(spaceSets.ending)], first: "end/", end: "under0" },
};

/** The byte of a guest. */
export const GUEST = ROLES.length + 1;

/** Whether chunks keep the containers of a set. */
export function isKept(universe: Universe, name: string): boolean {
  return name >= KEPT[universe].first && name < KEPT[universe].end;
}

/** The names, sizes in bytes and bytes of several rows of table `container`, in the same order, as one row. */
export type PackedRow = [names: string | null, sizes: string | null, bits: Uint8Array | null];

type ChunkRow = [chunk: number, lowest: string, since: number];

const CHUNKS = statement<ChunkRow>(
  () => `SELECT c.chunk, c.lowest, c.since FROM chunk c WHERE ${holds("c")} AND c.universe = $3`,
);

/** Containers, or heads, with a range of names. A row for each would take three times as long. */
export const PACKED = statement<PackedRow>(
  ({ joinedBytes }) => `
    SELECT string_agg(read.name, ' '), string_agg(CAST(length(read.bits) AS text), ' '), ${joinedBytes("read.bits")}
      FROM (
        SELECT c.name, c.bits FROM container c
          WHERE ${holds("c")} AND c.universe = $3 AND c.chunk = $4 AND c.name >= $5 AND c.name < $6) read`,
);

/** The parts of a {@link PackedRow}. */
export function unpack([names, sizes, bits]: PackedRow): { name: string; bits: Uint8Array }[] {
  if (names === null || sizes === null || bits === null) return [];
  const lengths = sizes.split(" ").map(Number);
  let from = 0;
  return names.split(" ").map((name, index) => {
    const to = from + (lengths[index] ?? 0);
    const own = bits.subarray(from, to);
    from = to;
    return { name, bits: own };
  });
}

export class UniverseIndex {
  /** The numbers of the chunks, in the order of their keys. */
  readonly chunks: readonly number[];
  /** The lowest key of each chunk. */
  readonly lowest: readonly string[];
  /** The revision that opened each chunk, or that last moved some of its keys to another chunk. */
  readonly since: readonly number[];
  readonly #heads: ReadonlyMap<string, Head>;
  readonly size: number;

  constructor(chunks: readonly ChunkRow[], packed: PackedRow) {
    const sorted = chunks.toSorted(([, a], [, b]) => compareIds(a, b));
    this.chunks = sorted.map(([number]) => number);
    this.lowest = sorted.map(([, lowest]) => lowest);
    this.since = sorted.map(([, , since]) => since);
    this.#heads = new Map(unpack(packed).map(({ name, bits }) => [name, headOf(bits)]));
    this.size =
      100 * sorted.length + 300 * this.#heads.size + (packed[2]?.length ?? 0) + 2 * (packed[0]?.length ?? 0);
  }

  /** The head of a set that chunks keep. */
  head(name: string): Head {
    return this.#heads.get(name) ?? EMPTY;
  }

  /** The index of the chunk in which a key lies. */
  chunkWith(key: string): number {
    let low = 0;
    for (let high = this.lowest.length; low < high;) {
      const middle = (low + high) >>> 1;
      if (compareIds(this.lowest[middle] ?? "", key) <= 0) low = middle + 1;
      else high = middle;
    }
    return Math.max(0, low - 1);
  }
}

const INDEXES: Readonly<Record<Universe, CacheKind<UniverseIndex>>> = {
  [MEMBERS]: {
    name: "members",
    bytes: ({ size }) => size,
    isTouched: (_, __, { members }) => members.length > 0,
  },
  [SPACES]: {
    name: "spaces",
    bytes: ({ size }) => size,
    isTouched: (_, __, { contents }) => contents.size > 0,
  },
};

export async function universeIndex(reading: Reading, universe: Universe): Promise<UniverseIndex> {
  await catchUp(reading);
  return reading.cache.once(INDEXES[universe], reading.at, "", async () => {
    const { first, end } = KEPT[universe];
    const [chunks, [packed]] = await Promise.all([
      reading.read(CHUNKS, ...reading.asOf, universe),
      reading.read(PACKED, ...reading.asOf, universe, HEADS, first, end),
    ]);
    return new UniverseIndex(chunks, packed ?? [null, null, null]);
  });
}
