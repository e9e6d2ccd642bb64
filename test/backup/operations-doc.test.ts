/** The statements of docs/operations.md hold, and its commands work. */
import { execFile } from "node:child_process";
import { existsSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { beforeAll, describe, expect, test } from "vitest";
import { exportedLines } from "../exported.ts";
import { openEngine } from "../../src/store/engine/open.ts";
import { Store } from "../../src/store/store.ts";
import { MAIN, rolebook } from "../command.ts";
import { acme, textOf } from "../examples/acme.ts";
import { fencedUnder } from "../docs/reading/fence.ts";
import { toLines } from "../oracle/records.ts";
import { startServing } from "./serving.ts";
import { temporaryFolder } from "../folder.ts";
import { HANG } from "../setup/hang.ts";

const doc = textOf("docs/operations.md");
const root = fileURLToPath(new URL("../../", import.meta.url));
const run = promisify(execFile);
const folder = temporaryFolder();
const state = join(folder, "state");
const backups = join(folder, "backups");
const bin = join(folder, "bin");
const environment = { ROLEBOOK_DATABASE_URL: `sqlite:${join(state, "rolebook.db")}` };

describe("what it does", () => {
  beforeAll(() => {
    for (const each of [state, backups, bin]) mkdirSync(each);
    // Runs the commands of the page in this folder: `rolebook` is the program, and systemctl does nothing.
    writeFileSync(join(bin, "rolebook"), `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`, {
      mode: 0o700,
    });
    writeFileSync(join(bin, "systemctl"), "#!/bin/sh\n", { mode: 0o700 });
  });

  test("serves as the unit says, takes imports and backups meanwhile, crashes, and is restored", async () => {
    const unit = textOf("docs/systemd/rolebook.service");
    const [, command = ""] = /^ExecStart=(.+)$/m.exec(unit) ?? [];
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(30);

    const link = acme.find(({ object }) => object === "siteSpace");
    const versions = [here(acme), here(acme.filter((record) => record !== link))];
    expect(await rolebook(["import", versions[0] ?? ""], environment)).toMatchObject({ status: 0 });
    const exports = [await exported()];
    const token = (await rolebook(["token", "create", "--organization", "acme"], environment)).stdout.trim();

    const server = await startServing(
      inPlace(command)
        .replace(/--port \d+/, "--port 0")
        .split(" "),
      environment,
    );
    const ask = async () => {
      const response = await fetch(`${server.url}/v1/spaces/glossary/permissions/aggregate`, {
        headers: { authorization: `Bearer ${token}` },
      });
      expect([response.status, (await response.text()).length > 1000]).toEqual([200, true]);
    };
    await ask();

    // Backups run while the server answers and imports run. Each backup contains one of the two versions, complete.
    const imports = (async () => {
      for (const version of [1, 0]) {
        expect(await rolebook(["import", versions[version] ?? ""], environment)).toMatchObject({ status: 0 });
        if (version === 1) exports.push(await exported());
      }
    })();
    const stage = { over: false };
    const done = imports.finally(() => (stage.over = true));
    const made: string[] = [];
    do {
      const file = join(backups, `${made.length}.db`);
      expect(await rolebook(["backup", file], environment)).toMatchObject({ status: 0, stdout: "" });
      made.push(file);
      await ask();
    } while (!stage.over);
    await done;
    for (const file of made) expect(exports).toContain(await exported(file));

    // Runs the page's backup commands, then crashes so that a write-ahead log is left, then runs the page's restore
    // commands.
    const [backup = "", restore = ""] = ["Backup", "Restore"].map((name) => fencedUnder(doc, name, "sh")[0]);
    await shell(backup);
    expect(await rolebook(["import", versions[1] ?? ""], environment)).toMatchObject({ status: 0 });
    expect(await exported()).toBe(exports[1]);
    expect(await server.stop("SIGKILL")).toBe(null);
    expect(existsSync(join(state, "rolebook.db-wal"))).toBe(true);
    const said = await shell(restore);
    expect(said).toMatch(/^organization +acme$/m);
    expect(await exported()).toBe(exports[0]);

    const again = await startServing([process.execPath, MAIN, "serve", "--port", "0"], environment);
    const response = await fetch(`${again.url}/v1/spaces/glossary/permissions/aggregate`, {
      headers: { authorization: `Bearer ${token}` },
    });
    expect(response.status).toBe(200);
    expect(await again.stop()).toBe(0);
  });
});

function here(records: typeof acme): string {
  const file = join(folder, `${records.length}.ndjson`);
  writeFileSync(file, toLines(records));
  return file;
}

/** Exports Acme's records from a database file. */
async function exported(file = join(state, "rolebook.db")): Promise<string> {
  const engine = await openEngine(`sqlite:${file}`);
  try {
    return (await exportedLines(new Store(engine), "acme")).join("\n");
  } finally {
    await engine.close();
  }
}

/** Replaces the paths on the page by paths in this test's folder. */
function inPlace(text: string): string {
  return text
    .replaceAll("/opt/rolebook/current/", root)
    .replaceAll("/opt/rolebook/current/", root)
    .replaceAll("/var/lib/rolebook", state)
    .replaceAll("/var/backups/rolebook", backups);
}

async function shell(block: string): Promise<string> {
  const { stdout } = await run("sh", ["-e", "-c", inPlace(block)], {
    env: { PATH: `${bin}:${process.env.PATH}`, ...environment },
    timeout: HANG,
  });
  return stdout;
}
