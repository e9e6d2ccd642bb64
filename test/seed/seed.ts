const given = process.env.TEST_SEED;

/** The seed of random tests; `undefined` if each run draws its own, as `npm run test:long` does. */
export const SEED = given === undefined ? undefined : Number(given);
