import { spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { faults } from "./fault.ts";

const ROOT = new URL("../..", import.meta.url).pathname;

/** Running a fault takes seconds, so the normal tests only check that its patch applies. */
test.for(faults().map((fault) => [fault.name, fault] as const))(
  "%s applies, and names an existing test file",
  ([, { patch, file }]) => {
    const ran = spawnSync("git", ["apply", "--check", "-C1", patch], { cwd: ROOT, encoding: "utf8" });
    // git may say that it reduced the context, which is no error.
    expect(ran.status, ran.stderr).toBe(0);
    expect(existsSync(join(ROOT, file)), file).toBe(true);
  },
);
