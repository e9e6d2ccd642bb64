/**
 * The seed of `npm test`. Every run tries the same random organizations, so that a new failure comes from a change of
 * the code. `TEST_SEED` sets another seed; `npm run test:long` uses a new one each time.
 */
export const USUAL_SEED = 267_790_588;

const given = process.env.TEST_SEED;

/** The seed of random tests; `undefined` if each run draws its own, as `npm run test:long` does. */
export const SEED = given === undefined ? undefined : Number(given);
