import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Browser } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { isRunning } from "../postgres/server/running.ts";
import { findBarriers } from "./axe.ts";
import { launch } from "./browser.ts";

const page = `<!doctype html><html lang="en"><title>Door</title><style>
body{font:400 16px/24px system-ui,sans-serif;margin:24px;color:#111;background:#fff}
b{font-weight:600}i{font-weight:500;font-style:normal}code{font-family:ui-monospace,monospace}
</style><h1>The door opens</h1>
<p>Regular, <i>medium</i>, <b>semibold</b>, <code>spc_8KqT2 mono</code>, 🚀 📚 emoji, École Straße Ελλάς Привет</p>
<script src="/script.js"></script></html>`;

let browser: Browser;
let server: Server;
let origin: string;

beforeAll(async () => {
  server = createServer((request, response) => {
    const script = request.url === "/script.js";
    response.setHeader(
      "Content-Security-Policy",
      "default-src 'none'; script-src 'self'; style-src 'unsafe-inline'",
    );
    response.setHeader("Content-Type", script ? "text/javascript" : "text/html; charset=utf-8");
    response.end(script ? `document.title = "Script ran"` : page);
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no port");
  origin = `http://127.0.0.1:${address.port}`;
  browser = await launch();
});

afterAll(async () => {
  await browser.close();
  server.close();
});

test("shows a page of a local server, runs its script, and takes a picture", async () => {
  const tab = await browser.newPage({ viewport: { width: 800, height: 300 } });
  await tab.goto(origin);
  expect(await tab.title()).toBe("Script ran");
  expect(await tab.getByRole("heading").textContent()).toBe("The door opens");
  const picture = await tab.screenshot();
  expect(picture.subarray(1, 4).toString()).toBe("PNG");
  await tab.close();
});

test("several contexts work in parallel, dark and light, and no other host can be reached", async () => {
  for (const colorScheme of ["dark", "light"] as const) {
    const context = await browser.newContext({ colorScheme });
    const tab = await context.newPage();
    await tab.goto(origin);
    expect(await tab.evaluate<boolean>(`matchMedia("(prefers-color-scheme: dark)").matches`)).toBe(
      colorScheme === "dark",
    );
    await expect(tab.goto("http://example.com/")).rejects.toThrow("ERR_NAME_NOT_RESOLVED");
    await context.close();
  }
});

test("axe finds a violation and its absence, under a strict Content-Security-Policy", async () => {
  const tab = await browser.newPage();
  await tab.goto(origin);
  expect(await findBarriers(tab)).toEqual([]);
  await tab.evaluate(`document.body.append(document.createElement("button"))`);
  expect((await findBarriers(tab)).map(({ rule }) => rule)).toEqual(["button-name"]);
  await tab.close();
});

test("the browser ends when the process that started it is killed", { timeout: 20_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), "rolebook-browser-"));
  const script = `
    import { launch } from ${JSON.stringify(join(import.meta.dirname, "browser.ts"))};
    const browser = await launch();
    const session = await browser.newBrowserCDPSession();
    const { processInfo } = await session.send("SystemInfo.getProcessInfo");
    console.log(processInfo.map(({ id }) => id).join(" "));
    setInterval(() => {}, 1_000);`;
  const owner = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    // A killed Chromium leaves its profile, which is in a folder that the test removes.
    env: { ...process.env, TMPDIR: folder },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const [line]: unknown[] = await once(owner.stdout, "data");
  const processes = String(line).trim().split(" ").map(Number);
  expect(processes.length).toBeGreaterThan(0);
  owner.kill("SIGKILL");
  await expect.poll(() => processes.filter(isRunning), { timeout: 10_000 }).toEqual([]);
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
});
