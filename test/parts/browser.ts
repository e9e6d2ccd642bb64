import { chromium, type Browser } from "playwright-core";
import { findChromium } from "./chromium.ts";

export type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";

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
 * with this process. Throws if it does not start within 30 seconds.
 */
export async function launch(): Promise<Browser> {
  const { path, environment } = await findChromium();
  return chromium.launch({
    executablePath: path,
    // With a sandbox, Chromium does not start as root or in most containers. Tests open only their own pages.
    chromiumSandbox: false,
    args: flags,
    env: { ...process.env, ...environment },
    timeout: 30_000,
  });
}

let shared: Promise<Browser> | undefined;

/** One browser for all test files of this process; it ends with the process. Each test opens its own contexts. */
export async function sharedBrowser(): Promise<Browser> {
  const known = await shared;
  if (known?.isConnected() === true) return known;
  return (shared = launch());
}
