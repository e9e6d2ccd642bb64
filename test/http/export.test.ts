/** The export over HTTP: who gets it, its bytes, its headers, and what a standby makes of an answer that was cut. */
import { execFile } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { connect, createServer, type Server } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { withEnd } from "../../src/snapshot/export.ts";
import { MAIN, rolebook } from "../command.ts";
import { fencedUnder } from "../docs/reading/fence.ts";
import { acme, textOf } from "../examples/acme.ts";
import { exportedLines } from "../exported.ts";
import { ownPlace, World } from "../world.ts";

let world: World;
let token: string;
beforeAll(async () => {
  world = await World.open(ownPlace, { rateLimit: 1000 });
  await world.import(acme);
  await world.import(acme.filter((record) => record.object !== "permission"));
  token = await world.token("acme");
  await world.app.listen({ host: "127.0.0.1", port: 0 });
});
afterAll(() => world.close());

/** What `rolebook export` prints of the current revision. */
async function exported(of = world): Promise<string> {
  let text = "";
  for await (const line of withEnd(await exportedLines(of.store, "acme"))) text += `${line}\n`;
  return text;
}

test("has the bytes of rolebook export, now and as of a past revision", async () => {
  const { status, headers, body } = await world.get("/export", token);
  expect([status, body]).toEqual([200, await exported()]);
  expect(headers).toMatchObject({
    "content-type": "application/x-ndjson",
    "cache-control": "no-store",
    "x-rolebook-revision": "2",
    vary: "Authorization",
    "x-ratelimit-limit": "1000",
  });
  expect(headers.etag).toBeUndefined();
  const then = await world.get("/at/1/export", token);
  expect(then.headers["x-rolebook-revision"]).toBe("1");
  const other = await World.open(ownPlace);
  try {
    await other.import(acme);
    expect(then.body).toBe(await exported(other));
  } finally {
    await other.close();
  }
});

test("is for organization tokens alone, and refuses in the order of docs/errors.md", async () => {
  const admin = await world.token("acme", "ivo");
  const member = await world.token("acme", "ana");
  const status = async (path: string, own?: string) => (await world.get(path, own)).status;
  expect(await status("/export")).toBe(401);
  expect(await status("/at/1/export/x")).toBe(401);
  expect(await status("/export/", token)).toBe(404);
  expect(await status("/export?page=1", member)).toBe(400);
  expect(await status("/at/0/export", member)).toBe(400);
  expect(await status("/at/9999/export", member)).toBe(404);
  for (const path of ["/export", "/at/1/export"]) {
    expect([await status(path, admin), await status(path, member)]).toEqual([403, 403]);
  }
  expect((await world.ask("POST", "/export", token)).status).toBe(405);
  const head = await world.ask("HEAD", "/export", token);
  expect([head.status, head.body, head.headers["content-type"]]).toEqual([200, "", "application/x-ndjson"]);
});

describe("a standby, by the recipe of docs/operations.md", () => {
  const folder = mkdtempSync(join(tmpdir(), "rolebook-standby-"));
  const database = `sqlite:${join(folder, "standby.db")}`;
  const config = join(folder, "pull.conf");
  let relay: Server;
  /** The relay closes a connection after this number of bytes of the answer. */
  let most = Infinity;

  beforeAll(async () => {
    relay = createServer((client) => {
      const upstream = connect(world.app.addresses()[0]?.port ?? 0, "127.0.0.1");
      let passed = 0;
      upstream.on("data", (data: Buffer) => {
        client.write(data.subarray(0, Math.max(0, most - passed)));
        if ((passed += data.length) >= most) client.end(() => upstream.destroy());
      });
      client.pipe(upstream).on("end", () => client.end());
      for (const socket of [client, upstream]) socket.on("error", () => {});
    });
    await new Promise<void>((resolve) => relay.listen(0, "127.0.0.1", resolve));
    const address = relay.address();
    const port = typeof address === "object" ? address?.port : undefined;
    writeFileSync(
      config,
      `url = "http://127.0.0.1:${port}/export"\nheader = "Authorization: Bearer ${token}"\n`,
    );
    writeFileSync(join(folder, "rolebook"), `#!/bin/sh\nexec "${process.execPath}" "${MAIN}" "$@"\n`, {
      mode: 0o700,
    });
  });
  afterAll(() => {
    relay.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function follow(): Promise<{ status: number; stderr: string }> {
    const [recipe = ""] = fencedUnder(textOf("docs/operations.md"), "A second Rolebook", "sh");
    const env = { PATH: `${folder}:${process.env.PATH}`, ROLEBOOK_DATABASE_URL: database };
    return new Promise((resolve) => {
      execFile("sh", ["-c", recipe.replace("/etc/rolebook-pull.conf", config)], { env }, (error, _, stderr) =>
        resolve({ status: typeof error?.code === "number" ? error.code : 0, stderr }),
      );
    });
  }

  const held = async () =>
    (await rolebook(["export", "--organization", "acme"], { ROLEBOOK_DATABASE_URL: database })).stdout;

  test("has what the first one has, and keeps it when a connection is cut", async () => {
    expect((await follow()).status).toBe(0);
    const first = await exported();
    expect(await held()).toBe(first);
    await world.import(acme);
    // In the middle of a line, at the end of one, and before the end record.
    const { body } = await world.get("/export", token);
    const head = 400;
    for (const cut of [2_000, head + body.length / 2, head + body.length - 40]) {
      most = Math.floor(cut);
      const { status, stderr } = await follow();
      expect(status, stderr).toBe(1);
      expect(stderr).toContain("curl: (18)");
      expect(await held()).toBe(first);
    }
    most = Infinity;
    expect((await follow()).status).toBe(0);
    expect(await held()).toBe(body);
  });
});
