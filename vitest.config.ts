import { availableParallelism, tmpdir } from "node:os";
import { defineConfig } from "vitest/config";
import { BaseSequencer, type TestSpecification } from "vitest/node";
import { HANG, LONGEST_TEST } from "./test/setup/hang.ts";
import { RELEASE_SEED } from "./test/setup/seed.ts";
import { shipped } from "./test/setup/shipped.ts";
import { writeToMemory } from "./test/setup/temporary-folder.ts";

const exclude = ["**/node_modules/**", "test/{long,limits,citus}/**"];
/** What every store promises within one process. */
const STORES = "test/store/{postgres,tokens/tokens}.test.ts";
/**
 * Queries that no suite of test/store makes: these run once more on PostgreSQL. Not what is decided before a store is
 * asked, nor what test/hostile/fuzz/fuzz.test.ts asks PostgreSQL too: who may ask, and in which order requests are refused.
 */
const ON_BOTH = [
  "test/http/{past,requests}.test.ts",
  "test/{store/{why,report,rows/*},explorer/server/{answers,then},review/{check,followed,removals,tidy},scenarios/*}.test.ts",
];
/** What installs the package. */
const INSTALLED = "test/package/**/*.test.ts";
/** What looks at every statement that was declared in its process, which must be the program's alone. */
const DECLARED = "test/store/engine/{postgres,sqlite}/plans.test.ts";
/** What measures time or load: these run last, two at a time. */
const ALONE = ["test/hostile/{load,sharing,stop}.test.ts"];

/** What takes longest begins first, so that no core waits at the end. The runner itself knows after its first run. */
const LONGEST =
  /(store\/(postgres|sqlite|engine\/postgres\/[\w-]+)|package\/\w+|barriers|crash\/\w+|cli\/server\/workers|removal\/removal|whole-review|tenancy|answers|official-client)\.test\.ts$/;
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((a, b) => Number(LONGEST.test(b.moduleId)) - Number(LONGEST.test(a.moduleId)));
  }
}

/** Where files lie on the disk: read before the tests are sent to memory. */
const ON_DISK = tmpdir();
writeToMemory();

const usual = {
  setupFiles: ["test/setup/seeded.ts"],
  env: { TEST_SEED: process.env.TEST_SEED ?? String(RELEASE_SEED) },
  testTimeout: LONGEST_TEST,
  hookTimeout: LONGEST_TEST,
  expect: { poll: { timeout: HANG } },
  // The program, the browser and PostgreSQL are loaded once per process, not once per file.
  isolate: false,
};
/** A project with a copy of the program that has other limits. The plugin of all would give it the one that ships. */
const copied = (program: string) => ({ extends: false as const, plugins: [shipped(program)] });

export default defineConfig({
  plugins: [shipped()],
  test: {
    globalSetup: "test/setup/build.ts",
    ...usual,
    // Two more than there are cores: files wait for servers, browsers and clocks much of their time.
    maxWorkers: availableParallelism() + 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        extends: true,
        test: {
          name: "all",
          include: ["test/**/*.test.ts"],
          exclude: [...exclude, DECLARED, INSTALLED, STORES, ...ALONE],
        },
      },
      {
        ...copied("quick"),
        test: {
          ...usual,
          name: "postgres",
          include: [STORES, ...ON_BOTH],
          globalSetup: ["test/limits/build.ts", "test/postgres/shared.ts"],
          setupFiles: [...usual.setupFiles, "test/postgres/setup.ts"],
          // A server takes longer than a file; npm run test:long tries more.
          env: { ...usual.env, ROLEBOOK_TEST_RUNS: "1" },
        },
      },
      {
        ...copied("small"),
        test: {
          ...usual,
          name: "small",
          include: ["test/limits/**/*.test.ts", "test/review/{check,followed,import,removals,tidy}.test.ts"],
          globalSetup: "test/limits/build.ts",
          // The reviews run in project `all` with as many organizations as they ask for.
          env: { ...usual.env, ROLEBOOK_TEST_RUNS: "4" },
        },
      },
      {
        extends: true,
        test: {
          name: "installed",
          include: [INSTALLED],
          exclude,
          // Installed commands change their user and what they see of the system: memory is not among it.
          env: { TMPDIR: ON_DISK },
        },
      },
      {
        ...copied("quick"),
        test: {
          ...usual,
          name: "declared",
          include: [DECLARED],
          globalSetup: "test/limits/build.ts",
          isolate: true,
        },
      },
      {
        extends: true,
        test: {
          name: "alone",
          isolate: true,
          include: ALONE,
          exclude,
          maxWorkers: 2,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
