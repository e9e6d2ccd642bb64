/** The Dockerfile makes an image that imports, serves and stops, where Docker or Podman is. */
import { spawnSync } from "node:child_process";
import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { fencedUnder } from "../docs/reading/fence.ts";
import { textOf } from "../examples/acme.ts";
import { pack } from "../package/tarball.ts";

const ROOT = new URL("../../", import.meta.url).pathname;
const TOOL = ["docker", "podman"].find((each) => spawnSync(each, ["info"]).status === 0);

test(`an image${TOOL === undefined ? " (NOT TRIED: no Docker or Podman answers here)" : ""}`, async () => {
  const [commands = ""] = fencedUnder(textOf("docs/operations.md"), "In a container", "sh");
  expect(commands).toContain("--read-only");
  if (TOOL === undefined) return;
  const folder = mkdtempSync(join(tmpdir(), "rolebook-image-"));
  const run = (command: string) =>
    spawnSync("bash", ["-ec", command.replaceAll("docker", TOOL)], { cwd: folder, encoding: "utf8" });
  try {
    copyFileSync(join(ROOT, "Dockerfile"), join(folder, "Dockerfile"));
    copyFileSync(join(ROOT, "examples/acme.ndjson"), join(folder, "directory.ndjson"));
    await pack(folder);
    expect(run(commands)).toMatchObject({ status: 0 });
    await expect
      .poll(() => run("docker inspect --format '{{.State.Health.Status}}' rolebook").stdout.trim())
      .toBe("healthy");
    expect(run("docker exec rolebook id -un").stdout).toBe("node\n");
    expect(run("docker stop rolebook")).toMatchObject({ status: 0 });
    // The server ended by itself: a killed one would have the status 137.
    expect(run("docker inspect --format '{{.State.ExitCode}}' rolebook").stdout).toBe("0\n");
  } finally {
    run("docker rm --force rolebook; docker volume rm rolebook-data; docker rmi rolebook");
    rmSync(folder, { recursive: true });
  }
});
