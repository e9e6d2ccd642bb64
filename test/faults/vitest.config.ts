import { defineConfig } from "vitest/config";
import { shipped } from "../shipped/plugin.ts";
import { writeToMemory } from "../temporary-folder.ts";

writeToMemory();

/** The configuration for tests that are expected to fail. */
export default defineConfig({
  root: new URL("../..", import.meta.url).pathname,
  test: {
    setupFiles: ["test/seed/setup.ts", "test/faults/no-shrinking.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        plugins: [shipped()],
        test: {
          name: "shipped",
          include: ["test/**/*.test.ts"],
          exclude: ["**/node_modules/**", "test/small/**"],
          globalSetup: "test/shipped/build.ts",
        },
      },
      {
        extends: true,
        plugins: [shipped("small")],
        test: { name: "small", include: ["test/small/**/*.test.ts"], globalSetup: "test/small/build.ts" },
      },
    ],
  },
});
