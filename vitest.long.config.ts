import { defineConfig } from "vitest/config";
import { shipped } from "./test/shipped/plugin.ts";

/** What takes minutes: `npm run test:long`. */
export default defineConfig({
  plugins: [shipped()],
  test: {
    globalSetup: "test/shipped/build.ts",
    include: ["test/long/**/*.test.ts"],
    testTimeout: 30 * 60_000,
    hookTimeout: 5 * 60_000,
    fileParallelism: false,
  },
});
