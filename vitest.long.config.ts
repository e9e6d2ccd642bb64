import { defineConfig } from "vitest/config";

/** What takes minutes: `npm run test:long`. */
export default defineConfig({
  test: {
    include: ["test/long/**/*.test.ts"],
    testTimeout: 30 * 60_000,
    hookTimeout: 5 * 60_000,
    fileParallelism: false,
  },
});
