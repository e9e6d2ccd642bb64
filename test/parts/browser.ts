import { chromium, type Browser } from "playwright-core";
import { findChromium } from "./chromium.ts";

export type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";

/** Flags beyond Playwright's: no background activity, and no names outside this machine. */
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
 * Starts a headless Chromium that needs nothing installed on the machine, works as root and as an ordinary user, and
 * renders the same everywhere (packaged fonts). It ends with `close()` or with this process. It can reach only
 * 127.0.0.1 and localhost. Throws after 30 seconds without an answer.
 */
export async function launch(): Promise<Browser> {
  const { path, environment } = await findChromium();
  return chromium.launch({
    executablePath: path,
    // No sandbox: Chromium would not start as root or in most containers; tests open only their own pages.
    chromiumSandbox: false,
    args: flags,
    env: { ...process.env, ...environment },
    timeout: 30_000,
  });
}

let shared: Promise<Browser> | undefined;

/** One browser for all test files that run in this process, with which it ends. Each test opens contexts of its own. */
export async function sharedBrowser(): Promise<Browser> {
  const known = await shared;
  if (known?.isConnected() === true) return known;
  return (shared = launch());
}
