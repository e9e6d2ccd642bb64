const given = process.env.TEST_SEED;

/** What random tests are drawn from; `undefined` where each run draws anew, as `npm run test:long` does. */
export const SEED = given === undefined ? undefined : Number(given);
