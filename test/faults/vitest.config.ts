import { defineConfig } from "vitest/config";
import { shipped } from "../setup/shipped.ts";
import { writeToMemory } from "../setup/temporary-folder.ts";

writeToMemory();

/** The configuration for tests that are expected to fail. */
export default defineConfig({
  root: new URL("../..", import.meta.url).pathname,
  test: {
    setupFiles: ["test/setup/seeded.ts", "test/faults/no-shrinking.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
    projects: [
      {
        extends: true,
        plugins: [shipped()],
        test: {
          name: "shipped",
          include: ["test/**/*.test.ts"],
          exclude: ["**/node_modules/**", "test/limits/**"],
          globalSetup: "test/setup/build.ts",
        },
      },
      {
        extends: true,
        plugins: [shipped("small")],
        test: { name: "small", include: ["test/limits/**/*.test.ts"], globalSetup: "test/limits/build.ts" },
      },
    ],
  },
});
