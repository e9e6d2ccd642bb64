import { chromium, type Browser } from "playwright-core";
import { findChromium } from "./chromium.ts";

export type { Browser, BrowserContext, BrowserContextOptions, Page } from "playwright-core";

/** Beyond Playwright's own: nothing that a browser does on its own account, and no name outside this machine. */
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
 * Starts a headless Chromium that needs nothing installed on the machine, as root and as an ordinary user, and
 * that looks the same everywhere (packaged fonts). It ends with `close()`, or with the process that started it.
 * Only 127.0.0.1 and localhost can be reached. Throws after 30 seconds without an answer.
 */
export async function launch(): Promise<Browser> {
  const { path, environment } = await findChromium();
  return chromium.launch({
    executablePath: path,
    // No sandbox: as root, and in most containers, Chromium would refuse to start; tests only open pages of ours.
    chromiumSandbox: false,
    args: flags,
    env: { ...process.env, ...environment },
    timeout: 30_000,
  });
}
