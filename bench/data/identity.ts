import { hash, mix } from "./random.ts";

export const ORGANIZATION = "bench";

/** The kinds that have ids. Each number seeds the random choices for one kind. */
export const KIND = { user: 11, team: 12, collection: 13, space: 14, site: 15 } as const;

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const PAIRS = Array.from(ALPHABET).flatMap((a) => Array.from(ALPHABET, (b) => a + b));
const BASE = PAIRS.length;

/**
 * Maps the index of a record to its id, for one seed. Ids look random, so their order tells nothing about index or
 * size.
 */
export interface Identity {
  readonly user: (index: number) => string;
  readonly team: (index: number) => string;
  readonly collection: (index: number) => string;
  readonly space: (index: number) => string;
  readonly site: (index: number) => string;
}

/** The ids of a seed: 28 characters for users, 20 for all other kinds. */
export function identity(seed: number): Identity {
  return {
    user: (index) => id(hash(seed, KIND.user, index), 14),
    team: (index) => id(hash(seed, KIND.team, index), 10),
    collection: (index) => id(hash(seed, KIND.collection, index), 10),
    space: (index) => id(hash(seed, KIND.space, index), 10),
    site: (index) => id(hash(seed, KIND.site, index), 10),
  };
}

/**
 * The first three pairs of characters encode the 32-bit hash, which is a bijection of the index, so ids of one kind are
 * unique.
 */
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
