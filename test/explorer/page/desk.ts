/** The explorer in a real Chromium, with a real server and its own database. */
import { afterAll, afterEach, beforeAll, expect } from "vitest";
import type { SnapshotRecord } from "../../oracle/records.ts";
import {
  type BrowserContext,
  type BrowserContextOptions,
  newContext,
  type Page,
} from "../../parts/browser.ts";
import { sqlitePlace, World, type WorldOptions } from "../../world.ts";

/** Wide enough for tree, list and Why side by side. */
const WIDE = { width: 1440, height: 900 };

export interface Visit extends BrowserContextOptions {
  /** The member whose token signs in; by default an organization token. With `null`, nobody signs in. */
  readonly member?: string | null;
}

/**
 * A server and tabs for one test file; all files of a process share a browser. Each test gets new, signed-in tabs,
 * which are closed after the test.
 */
export class Desk {
  readonly #organization: string;
  readonly #contexts: BrowserContext[] = [];
  /** The context of tabs without options. It keeps the compiled scripts of the page from test to test, and nothing else. */
  #usual: Promise<BrowserContext> | undefined;
  readonly #troubles: string[] = [];
  readonly #origins = new Set<string>();
  #world: World | undefined;
  #address = "";

  constructor(organization: string) {
    this.#organization = organization;
  }

  get world(): World {
    if (this.#world === undefined) throw new Error("The server was not started.");
    return this.#world;
  }

  /** The URL of the page, with a final slash. */
  get address(): string {
    return this.#address;
  }

  token(member?: string): Promise<string> {
    return this.world.token(this.#organization, member);
  }

  async start(records: readonly SnapshotRecord[], options: WorldOptions): Promise<void> {
    this.#world = await World.open(sqlitePlace, options);
    await this.#world.import(records);
    const address = await this.#world.app.listen({ host: "127.0.0.1", port: 0 });
    this.#address = `${address}/`;
  }

  /** Opens a new tab at an address of the page (`?space=…`), signed in as a tab is whose reader loads the page again. */
  async visit(query = "", { member, ...options }: Visit = {}, address = this.#address): Promise<Page> {
    const token = member === null ? undefined : await this.token(member);
    const page = await this.tab(`${address}${query}`, options, token);
    if (member !== null) await signedIn(page);
    return page;
  }

  /** Opens a new tab in its own context. Errors in the tab fail the test. The tab begins with a token in its storage. */
  async tab(url: string, options: BrowserContextOptions = {}, token?: string): Promise<Page> {
    const isUsual = Object.keys(options).length === 0;
    const context = await (isUsual
      ? (this.#usual ??= newContext({ viewport: WIDE }))
      : newContext({ viewport: WIDE, ...options }));
    if (!isUsual) this.#contexts.push(context);
    const page = await context.newPage();
    const { origin } = new URL(url);
    this.#origins.add(origin);
    page.on("pageerror", (error) => this.#troubles.push(error.message));
    page.on("console", (message) => {
      if (message.text().includes("Content Security Policy")) this.#troubles.push(message.text());
    });
    page.on("request", (request) => {
      const asked = new URL(request.url());
      if (asked.protocol !== "blob:" && asked.origin !== origin) this.#troubles.push(`asked ${asked.href}`);
    });
    if (token !== undefined) {
      await page.addInitScript(
        `if (window.name === "" && location.protocol.startsWith("http")) {
          window.name = "begun";
          sessionStorage.setItem("rolebook.token", ${JSON.stringify(token)});
        }`,
      );
    }
    await page.goto(url);
    return page;
  }

  /**
   * Closes the tabs. Throws if a script failed, if the content security policy was violated, or if another host was
   * contacted.
   */
  async clear(): Promise<void> {
    await Promise.all(this.#contexts.splice(0).map((context) => context.close()));
    await this.#empty(await this.#usual);
    expect(this.#troubles.splice(0)).toEqual([]);
  }

  /** Closes the tabs of a context, and deletes what they stored. */
  async #empty(context: BrowserContext | undefined): Promise<void> {
    if (context === undefined) return;
    for (const page of context.pages().slice(1)) await page.close();
    const [page] = context.pages();
    if (page === undefined) return;
    const devtools = await context.newCDPSession(page);
    for (const origin of this.#origins)
      await devtools.send("Storage.clearDataForOrigin", { origin, storageTypes: "all" });
    await page.close();
    await context.clearPermissions();
    await context.clearCookies();
  }

  async stop(): Promise<void> {
    await (await this.#usual)?.close();
    this.#world?.app.server.closeAllConnections();
    await this.#world?.close();
  }
}

/** A desk with one organization, shared by all tests of a file. */
export function deskOver(
  records: readonly SnapshotRecord[],
  organization: string,
  options: WorldOptions = {},
): Desk {
  const desk = new Desk(organization);
  beforeAll(() => desk.start(records, options));
  afterEach(() => desk.clear());
  afterAll(() => desk.stop());
  return desk;
}

/** Signs in with a token. */
export async function signIn(page: Page, token: string): Promise<void> {
  await page.getByLabel("Access token").fill(token);
  await page.getByRole("button", { name: "Sign in" }).click();
  await signedIn(page);
}

function signedIn(page: Page): Promise<void> {
  return page.getByRole("button", { name: "Sign out" }).or(page.locator(".search")).first().waitFor();
}

/** Waits for the view with this heading. */
export async function shows(page: Page, name: string): Promise<void> {
  await page.getByRole("heading", { level: 1, name, exact: true }).waitFor();
}

/** Waits until the list has rows. Returns the text of the cells of each drawn row. */
export async function rowsOf(page: Page): Promise<string[][]> {
  await page.locator('main[aria-busy="false"] tbody tr[data-row]').first().waitFor();
  return drawnRows(page);
}

/** The text of the cells of each drawn row, without waiting. */
export function drawnRows(page: Page): Promise<string[][]> {
  return page.evaluate<string[][]>(
    `[...document.querySelectorAll("tbody tr[data-row]")].map((row) =>
      [...row.cells].map((cell) => cell.innerText.trim().replace(/\\s+/g, " ")))`,
  );
}

/** The path and query of the page's URL. */
export function placeOf(page: Page): string {
  const { pathname, search } = new URL(page.url());
  return pathname + search;
}

/** The text or label of the focused element. */
export function focusOf(page: Page): Promise<string> {
  return page.evaluate<string>(
    `(document.activeElement?.getAttribute("aria-label") ?? document.activeElement?.textContent ?? "").trim()`,
  );
}
