/**
 * The seed of this release. Whoever runs `npm test` tries the same random organizations, so that a failure there is one
 * of their machine or their change. `TEST_SEED` sets another seed: `.ci/run` takes it from the commit, and `npm run
 * test:long` draws a new one each time.
 */
export const RELEASE_SEED = 267_790_588;

const given = process.env.TEST_SEED;

/** The seed of random tests; `undefined` if each run draws its own, as `npm run test:long` does. */
export const SEED = given === undefined ? undefined : Number(given);

/**
 * Draws with the seed of this run, and with the seeds after it until `isEnough`: a test that must meet certain cases
 * meets them with every seed, sooner or later.
 */
export async function drawUntil(
  isEnough: () => boolean,
  draw: (seed: number) => Promise<unknown>,
): Promise<void> {
  let seed = SEED ?? Date.now();
  do await draw(seed++);
  while (!isEnough());
}
