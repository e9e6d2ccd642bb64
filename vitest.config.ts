import { defineConfig } from "vitest/config";

const exclude = ["**/node_modules/**", "test/long/**"];

export default defineConfig({
  test: {
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
