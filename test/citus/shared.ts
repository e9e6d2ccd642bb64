import { execFileSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { TestProject } from "vitest/node";

declare module "vitest" {
  interface ProvidedContext {
    /** The URL of the coordinator of the Citus cluster on which the tests run. */
    citus: string;
  }
}

/** Fewer shards than usual: every place makes its own. */
const SHARDS = "4";

/** Runs before the tests. Starts the cluster if `ROLEBOOK_TEST_CITUS` is a script, and removes it at the end. */
export default function share({ provide }: TestProject): (() => void) | undefined {
  const wanted = process.env.ROLEBOOK_TEST_CITUS ?? "";
  if (/^postgres(ql)?:/.test(wanted)) {
    provide("citus", wanted);
    return undefined;
  }
  // Not in the folder for temporary files of the tests, which the servers' own user may not read.
  const parent = mkdtempSync("/tmp/rolebook-citus-");
  chmodSync(parent, 0o755);
  const folder = join(parent, "cluster");
  const env = { ...process.env, CITUS_SHARDS: SHARDS };
  const run = (...args: string[]) =>
    execFileSync(wanted, args, { encoding: "utf8", env, stdio: ["ignore", "pipe", "inherit"] });
  provide("citus", run(folder).trim());
  return () => {
    run("--remove", folder);
    rmSync(parent, { recursive: true });
  };
}
