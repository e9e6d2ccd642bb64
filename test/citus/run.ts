/** `npm run test:citus`: the tests that need a Citus cluster, which the environment names. */
import { spawnSync } from "node:child_process";

const WANTED = "ROLEBOOK_TEST_CITUS";
/** Given by `npm run test:long`, which runs these tests only where there is a cluster. */
const isOptional = process.argv.includes("--if-there");

if (process.env[WANTED] === undefined) {
  const how = `${WANTED} names no cluster; accepted: the postgres:// URL of a coordinator, or a script that starts one and prints it.`;
  console.error(isOptional ? `The tests on Citus were not run: ${how}` : how);
  process.exitCode = isOptional ? 0 : 1;
} else {
  const vitest = ["vitest", "run", "--config", "vitest.citus.config.ts"];
  const own = process.argv.slice(2).filter((each) => each !== "--if-there");
  const { status } = spawnSync("npx", [...vitest, ...own], { stdio: "inherit" });
  process.exitCode = status ?? 1;
}
