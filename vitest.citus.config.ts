import { defineConfig } from "vitest/config";
import { USUAL_SEED } from "./test/setup/seed.ts";
import { shipped } from "./test/setup/shipped.ts";

/** What runs on a real Citus cluster: `npm run test:citus`. */
export default defineConfig({
  plugins: [shipped()],
  test: {
    include: ["test/citus/**/*.test.ts"],
    globalSetup: ["test/setup/build.ts", "test/citus/shared.ts"],
    setupFiles: ["test/setup/seeded.ts"],
    env: {
      TEST_SEED: process.env.TEST_SEED ?? String(USUAL_SEED),
      ROLEBOOK_TEST_RUNS: process.env.ROLEBOOK_TEST_RUNS ?? "1",
    },
    testTimeout: 10 * 60_000,
    hookTimeout: 5 * 60_000,
    // Some files halt a node.
    fileParallelism: false,
    isolate: false,
  },
});
