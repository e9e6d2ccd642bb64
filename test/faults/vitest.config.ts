import { defineConfig } from "vitest/config";
import { HANG, LONGEST_TEST } from "../setup/hang.ts";
import { shipped } from "../setup/shipped.ts";
import { writeToMemory } from "../setup/temporary-folder.ts";

writeToMemory();

/** What is tried with small limits. */
const SMALL = ["test/limits/**/*.test.ts", "test/review/check.test.ts"];

/** The configuration for tests that are expected to fail. */
export default defineConfig({
  root: new URL("../..", import.meta.url).pathname,
  test: {
    setupFiles: ["test/setup/seeded.ts", "test/faults/no-shrinking.ts"],
    testTimeout: LONGEST_TEST,
    hookTimeout: LONGEST_TEST,
    expect: { poll: { timeout: HANG } },
    projects: [
      {
        extends: true,
        plugins: [shipped()],
        test: {
          name: "shipped",
          include: ["test/**/*.test.ts"],
          exclude: ["**/node_modules/**", ...SMALL],
          globalSetup: "test/setup/build.ts",
        },
      },
      {
        extends: true,
        plugins: [shipped("small")],
        test: { name: "small", include: SMALL, globalSetup: "test/limits/build.ts" },
      },
    ],
  },
});
