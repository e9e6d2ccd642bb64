import { defineConfig } from "vitest/config";
import { HANG, LONGEST_TEST } from "./test/setup/hang.ts";
import { RELEASE_SEED } from "./test/setup/seed.ts";
import { shipped } from "./test/setup/shipped.ts";

/** What also runs on SQLite and PostgreSQL: answers over HTTP, of the explorer, and of commands. */
const ON_EVERY_STORE = [
  "test/http/*.test.ts",
  "test/{store/{why,report},explorer/server/{answers,callers,changes,newcomers,then},review/{check,decided,followed,import,removals,tidy}}.test.ts",
];

/** What runs on a real Citus cluster: `npm run test:citus`. */
export default defineConfig({
  plugins: [shipped()],
  test: {
    globalSetup: ["test/setup/build.ts", "test/citus/shared.ts"],
    env: {
      TEST_SEED: process.env.TEST_SEED ?? String(RELEASE_SEED),
      ROLEBOOK_TEST_RUNS: process.env.ROLEBOOK_TEST_RUNS ?? "1",
    },
    testTimeout: LONGEST_TEST,
    hookTimeout: LONGEST_TEST,
    expect: { poll: { timeout: HANG } },
    // Some files halt a node.
    fileParallelism: false,
    isolate: false,
    projects: [
      {
        extends: true,
        test: {
          name: "citus",
          include: ["test/citus/**/*.test.ts"],
          setupFiles: ["test/setup/seeded.ts"],
        },
      },
      {
        extends: true,
        test: {
          name: "answers",
          include: ON_EVERY_STORE,
          // What is read at once depends on how fast the database answers.
          exclude: ["**/node_modules/**", "test/http/at-once.test.ts"],
          setupFiles: ["test/setup/seeded.ts", "test/citus/setup.ts"],
        },
      },
    ],
  },
});
