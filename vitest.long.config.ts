import { readdirSync, readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { debianPostgres } from "./test/parts/debian-postgres.ts";
import { HANG, LONGEST_TEST } from "./test/setup/hang.ts";
import { shipped } from "./test/setup/shipped.ts";

/** How many random organizations are tried where `npm test` tries a few: on a file, and on a server. */
const RUNS = { sqlite: "100", postgres: "30" };

/** What "random on SQLite" tries. */
const OF_STORE = /^test\/(store\/(why|report|sqlite)|explorer\/server\/answers)\.test\.ts$/;
/** All other test files that hold a property. */
const OTHERS = readdirSync("test", { recursive: true, encoding: "utf8" })
  .map((file) => `test/${file}`)
  .filter((file) => file.endsWith(".test.ts") && !/\/node_modules\/|\/(long|limits|citus)\//.test(file))
  .filter((file) => !OF_STORE.test(file) && /\bholds\(/.test(readFileSync(file, "utf8")));

/** What takes minutes: `npm run test:long`, a project a part. */
export default defineConfig({
  plugins: [shipped()],
  test: {
    globalSetup: "test/setup/build.ts",
    testTimeout: LONGEST_TEST,
    hookTimeout: LONGEST_TEST,
    expect: { poll: { timeout: HANG } },
    fileParallelism: false,
    projects: [
      { extends: true, test: { name: "crash", include: ["test/long/crash.test.ts"] } },
      {
        extends: true,
        test: {
          name: "load",
          include: [
            "test/long/{alerts,behind-proxy,container,fuzz,launcher,postgres-times,tenancy,pressure/*}.test.ts",
          ],
        },
      },
      {
        extends: true,
        test: { name: "size", include: ["test/long/{csv,gitbook,input,key-to-paint,postgres-size}.test.ts"] },
      },
      {
        extends: true,
        test: {
          name: "every call",
          include: ["test/crash/{apply,damage,faulty-disk,pruning}.test.ts"],
          env: { TEST_EVERY_CALL: "1" },
        },
      },
      {
        extends: true,
        test: {
          name: "every look",
          include: ["test/accessibility/barriers.test.ts"],
          env: { TEST_EVERY_LOOK: "1" },
        },
      },
      {
        extends: true,
        test: {
          name: "random on SQLite",
          include: ["test/{store/{why,report,sqlite},explorer/server/answers}.test.ts"],
          env: { ROLEBOOK_TEST_RUNS: RUNS.sqlite },
        },
      },
      {
        extends: true,
        test: { name: "other random cases", include: OTHERS, env: { ROLEBOOK_TEST_RUNS: RUNS.postgres } },
      },
      {
        extends: true,
        test: {
          name: "random store on PostgreSQL",
          include: ["test/store/postgres.test.ts"],
          env: { ROLEBOOK_TEST_RUNS: RUNS.sqlite },
        },
      },
      {
        extends: true,
        test: {
          name: "Debian's PostgreSQL",
          include: [
            "test/store/{postgres,tokens/tokens}.test.ts",
            // Not the plans of statements, which each version makes its own.
            "test/store/engine/postgres/{connections,freshness,taken-over,tls,together,waits}.test.ts",
          ],
          // Where it is not, nothing is run: see test/long/run.ts.
          env: { ROLEBOOK_TEST_POSTGRES: debianPostgres() ?? "" },
        },
      },
      {
        // The plugin above would give it the program as it ships.
        extends: false,
        plugins: [shipped("small")],
        test: {
          name: "random with small limits",
          include: ["test/limits/**/*.test.ts", "test/review/{check,followed,import,removals,tidy}.test.ts"],
          globalSetup: "test/limits/build.ts",
          testTimeout: LONGEST_TEST,
          hookTimeout: LONGEST_TEST,
          expect: { poll: { timeout: HANG } },
          env: { ROLEBOOK_TEST_RUNS: RUNS.sqlite },
        },
      },
      {
        extends: true,
        test: {
          name: "random answers on PostgreSQL",
          include: [
            "test/http/*.test.ts",
            "test/{store/{why,report},explorer/server/{answers,callers,changes,newcomers,then},review/{check,decided,followed,import,removals,tidy}}.test.ts",
          ],
          globalSetup: "test/postgres/shared.ts",
          setupFiles: ["test/postgres/setup.ts"],
          env: { ROLEBOOK_TEST_RUNS: RUNS.postgres },
        },
      },
    ],
  },
});
