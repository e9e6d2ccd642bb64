/**
 * The one bound on waiting, in milliseconds. A test waits for an event, a line or a state, however long a slow or busy
 * machine takes; this bound only ends a hang, so that the run names the test that hangs. `npm run test:faults`, whose
 * tests are expected to fail, sets a shorter one.
 */
export const HANG = Number(process.env.TEST_HANG ?? 10 * 60_000);

/** The bound on a whole test: whatever hangs in a test ends first and says what was waited for. */
export const LONGEST_TEST = 3 * HANG;
