/**
 * The seed of `npm test`: two runs try the same random organizations, so that a red run speaks of the change and not of
 * the draw. Anybody may set another; `npm run test:long` draws anew each time.
 */
export const USUAL_SEED = 267_790_588;

const given = process.env.TEST_SEED;

/** The seed of random tests; `undefined` if each run draws its own, as `npm run test:long` does. */
export const SEED = given === undefined ? undefined : Number(given);
