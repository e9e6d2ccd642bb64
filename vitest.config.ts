import { defineConfig } from "vitest/config";
import { shipped } from "./test/shipped/plugin.ts";

const exclude = ["**/node_modules/**", "test/long/**"];

export default defineConfig({
  plugins: [shipped()],
  test: {
    globalSetup: "test/shipped/build.ts",
    testTimeout: 60_000,
    hookTimeout: 60_000,
    projects: [
      {
        extends: true,
        test: {
          name: "all",
          include: ["test/**/*.test.ts"],
          exclude: [...exclude, "test/package/**"],
        },
      },
      {
        // Once more, on the other store: what callers see does not depend on it.
        extends: true,
        test: {
          name: "postgres",
          include: [
            "test/http/**/*.test.ts",
            "test/{why/why,report/report,explorer/answers,explorer/callers}.test.ts",
          ],
          exclude,
          setupFiles: ["test/postgres/setup.ts"],
          // A database is made for each random organization, which takes longer than a file.
          env: { ROLEBOOK_TEST_RUNS: "5" },
        },
      },
      {
        // npm takes every core there is: it comes last, and nothing runs beside it.
        extends: true,
        test: {
          name: "package",
          include: ["test/package/**/*.test.ts"],
          exclude,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
