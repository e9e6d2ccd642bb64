/** Tests docs/alerts.yml with promtool, from Debian's package `prometheus`. */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { expect, test } from "vitest";

const root = fileURLToPath(new URL("../../", import.meta.url));

test.each([
  ["are well-formed", ["check", "rules", "docs/alerts.yml"]],
  ["fire when they should, and only then", ["test", "rules", "test/alerts/alerts.rules-test.yml"]],
])("the alerts %s", (_, args) => {
  const { error, status, stdout, stderr } = spawnSync("promtool", args, { cwd: root, encoding: "utf8" });
  if (error !== undefined && "code" in error && error.code === "ENOENT") {
    process.stderr.write(`not tried: promtool ${args.join(" ")}, for promtool is not on this machine\n`);
    return;
  }
  expect({ status, said: `${stdout}${stderr}` }).toEqual({
    status: 0,
    said: expect.stringContaining("SUCCESS"),
  });
});
