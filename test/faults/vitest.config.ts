import { defineConfig } from "vitest/config";
import { shipped } from "../shipped/plugin.ts";

/** For tests that are expected to fail. */
export default defineConfig({
  root: new URL("../..", import.meta.url).pathname,
  plugins: [shipped()],
  test: {
    globalSetup: "test/shipped/build.ts",
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/seed/setup.ts", "test/faults/no-shrinking.ts"],
    testTimeout: 120_000,
    hookTimeout: 120_000,
  },
});
