import { defineConfig } from "vitest/config";

/** For tests that are expected to fail. */
export default defineConfig({
  root: new URL("../..", import.meta.url).pathname,
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/faults/no-shrinking.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
