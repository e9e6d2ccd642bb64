import { hash, mix } from "./random.ts";

/** The organization of every generated snapshot. */
export const ORGANIZATION = "bench";

/** The kinds that have ids; the numbers keep their random choices apart. */
export const KIND = { user: 11, team: 12, collection: 13, space: 14, site: 15 } as const;

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const PAIRS = Array.from(ALPHABET).flatMap((a) => Array.from(ALPHABET, (b) => a + b));
const BASE = PAIRS.length;

/** The ids of one seed's data: index to id. Ids look random, so neither file order nor rank shows in their order. */
export interface Identity {
  readonly user: (index: number) => string;
  readonly team: (index: number) => string;
  readonly collection: (index: number) => string;
  readonly space: (index: number) => string;
  readonly site: (index: number) => string;
}

/** The ids that belong to `seed`: 28 characters for users, 20 for everything else. */
export function identity(seed: number): Identity {
  return {
    user: (index) => id(hash(seed, KIND.user, index), 14),
    team: (index) => id(hash(seed, KIND.team, index), 10),
    collection: (index) => id(hash(seed, KIND.collection, index), 10),
    space: (index) => id(hash(seed, KIND.space, index), 10),
    site: (index) => id(hash(seed, KIND.site, index), 10),
  };
}

/** The first three pairs spell the 32-bit hash, a bijection of the index, so no two of a kind are the same. */
function id(start: number, pairs: number): string {
  let text = pair(start) + pair(start / BASE) + pair(start / (BASE * BASE));
  let state = start;
  for (let i = 3; i < pairs; i += 1) {
    state = mix(state + 0x9e3779b9);
    text += pair(state);
  }
  return text;
}

function pair(value: number): string {
  return PAIRS[Math.floor(value) % BASE] ?? "";
}
