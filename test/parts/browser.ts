import { type ChildProcess, spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { chromium, type Browser, type BrowserContext, type BrowserContextOptions } from "playwright-core";
import { HANG } from "../setup/hang.ts";
import { findChromium } from "./chromium.ts";

export type { Browser, BrowserContext, BrowserContextOptions, Locator, Page } from "playwright-core";

/** Flags in addition to Playwright's: no background activity, and no access to names outside this machine. */
const flags = [
  "--disable-gpu",
  "--disable-quic",
  "--disable-background-networking",
  "--disable-component-update",
  "--disable-sync",
  "--font-render-hinting=none",
  "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
];

/**
 * Starts a headless Chromium. It needs nothing installed on the machine, works as root and as an ordinary user, and
 * renders equally everywhere, with packaged fonts. It reaches only 127.0.0.1 and localhost, and ends with `close()` or
 * with this process.
 */
async function launch(): Promise<Browser> {
  const { path, environment } = await findChromium();
  return chromium.launch({
    executablePath: path,
    // With a sandbox, Chromium does not start as root or in most containers. Tests open only their own pages.
    chromiumSandbox: false,
    args: flags,
    env: { ...process.env, ...environment },
    timeout: HANG,
  });
}

let shared: Promise<Browser> | undefined;

/** One browser for all test files of this process; it ends with the process. */
async function sharedBrowser(): Promise<Browser> {
  const known = await shared;
  if (known?.isConnected() === true) return known;
  return (shared = launch());
}

/** Opens a context in the browser that all test files of this process share; it ends with the process. */
export async function newContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const context = await (await sharedBrowser()).newContext(options);
  context.setDefaultTimeout(HANG);
  return context;
}

/**
 * Starts a Chromium that keeps what pages store in `folder`, as a reader's browser does. `process` is the browser's, so
 * that a test can kill it.
 */
export async function launchOn(folder: string): Promise<{ browser: Browser; process: ChildProcess }> {
  const { path, environment } = await findChromium();
  const own = ["--headless", "--no-sandbox", "--remote-debugging-port=0", `--user-data-dir=${folder}`];
  const child = spawn(path, [...own, ...flags], {
    env: { ...process.env, ...environment },
    stdio: ["ignore", "ignore", "pipe"],
  });
  for await (const line of createInterface(child.stderr)) {
    const [, url] = /^DevTools listening on (ws:.*)$/.exec(line) ?? [];
    if (url === undefined) continue;
    child.stderr.resume();
    const browser = await chromium.connectOverCDP(url, { timeout: HANG });
    for (const context of browser.contexts()) context.setDefaultTimeout(HANG);
    return { browser, process: child };
  }
  throw new Error("Chromium did not start.");
}
