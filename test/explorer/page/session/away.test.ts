/** The server runs in its own process. It is killed, and started again on the same port. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { createToken } from "../../../../src/store/tokens.ts";
import { Program } from "../../../crash/program.ts";
import { acme } from "../../../examples/acme.ts";
import type { Page } from "../../../parts/browser.ts";
import { type Place, sqlitePlace, World } from "../../../world.ts";
import { Desk, drawnRows, rowsOf, shows, signIn } from "../desk.ts";

const desk = new Desk("acme");
let place: Place;
let token: string;
let server: Program | undefined;

beforeAll(async () => {
  await desk.start(acme, {});
  place = await sqlitePlace();
  const world = await World.open(async () => ({ url: place.url, dispose: async () => {} }));
  await world.import(acme);
  token = await createToken(world.store, { organization: "acme", name: "test" });
  await world.close();
});
afterAll(async () => {
  server?.kill();
  await server?.ended;
  await desk.stop();
  await place.dispose();
});

/** Starts the server. Returns its address. */
async function serve(port = "0"): Promise<string> {
  server = new Program(["serve", "--port", port, "--database", place.url]);
  const [, address = ""] = await server.says(/at (http:[^\s"]+)/);
  return `${address}/`;
}

async function kill(): Promise<void> {
  server?.kill();
  await server?.ended;
}

const notice = (page: Page) => page.getByRole("region", { name: "Notice" });

/** Clicks "Try now". The button is missing if the page has just tried by itself. */
function tryNow(page: Page): Promise<void> {
  return page.evaluate<void>(
    `[...document.querySelectorAll("button")].find(({ textContent }) => textContent === "Try now")?.click()`,
  );
}

/** Holds requests back until the returned function is called. */
async function held(page: Page, url: string): Promise<() => void> {
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>();
  await page.route(url, async (route) => {
    await isOver;
    await route.continue();
  });
  return end;
}

test("loaded rows stay readable; the page waits, retries by itself, and continues", async () => {
  const address = await serve();
  const page = await desk.tab(`${address}?space=api-reference`);
  await signIn(page, token);
  // The notice covers one or two rows, so only the first twelve rows are compared.
  const top = async () => (await rowsOf(page)).slice(0, 12);
  const before = await top();
  await kill();
  await page.getByRole("tab", { name: /Direct people/ }).click();
  await notice(page)
    .getByText(
      /^The server is not answering\. What you see was read at \d\d:\d\d\. Trying again in \d+ seconds?\./,
    )
    .waitFor();
  // Back shows a view that was loaded before.
  await page.goBack();
  expect(await top()).toEqual(before);
  // The page waits longer after each try, and sends no request meanwhile: at least 2 and 4 seconds.
  await page.evaluate(`(() => {
    const { fetch } = window;
    window.asked = [];
    window.fetch = (...request) => {
      asked.push(performance.now());
      return fetch(...request);
    };
  })()`);
  const asked = () => page.evaluate<number[]>("asked");
  await expect.poll(async () => (await asked()).length).toBeGreaterThan(2);
  const [first = 0, second = 0, third = 0] = await asked();
  expect(second - first).toBeGreaterThan(1_990);
  expect(third - second).toBeGreaterThan(3_990);
  const tries = (await asked()).length;
  await page.getByRole("button", { name: "Try now" }).click();
  await expect.poll(async () => (await asked()).length).toBeGreaterThan(tries);

  // The page says so for some seconds.
  const isBack = notice(page).getByText("The server is back.").waitFor();
  await serve(new URL(address).port);
  await tryNow(page);
  await isBack;
  await page.getByRole("tab", { name: /Direct people/ }).click();
  await page.getByText("3 people with a direct permission").first().waitFor();
  await notice(page).waitFor({ state: "detached" });
  await kill();
});

test("without the server, no rows stand below a tab or filters that are not theirs", async () => {
  const address = await serve();
  const page = await desk.tab(`${address}?space=api-reference`);
  await signIn(page, token);
  const everyone = await rowsOf(page);
  await kill();
  const unread = page.getByText("These rows were not read yet. They come when the server answers.");
  await page.getByRole("tab", { name: /Direct people/ }).click();
  await unread.waitFor();
  await page.getByRole("tab", { name: /Direct people/, selected: true }).waitFor();
  expect(await drawnRows(page)).toEqual([]);
  await page.goBack();
  await page.getByRole("tab", { name: /Everyone/, selected: true }).waitFor();
  expect((await rowsOf(page)).slice(0, 10)).toEqual(everyone.slice(0, 10));
  await page
    .getByRole("button", { name: /^admin/ })
    .first()
    .click();
  await unread.waitFor();
  expect(await drawnRows(page)).toEqual([]);
  await serve(new URL(address).port);
  await tryNow(page);
  const roles = new Set((await rowsOf(page)).map((row) => row.find((text) => text === "admin")));
  expect(roles).toEqual(new Set(["admin"]));
  await page.getByRole("tab", { name: /Direct people/ }).click();
  await page.getByText("3 people with a direct permission").first().waitFor();
  await kill();
});

test("while the server is away or slow, the previous view stays, dimmed, until the new one has loaded", async () => {
  const address = await serve();
  const page = await desk.tab(`${address}?space=api-reference`);
  await signIn(page, token);
  const before = (await rowsOf(page)).slice(0, 12);
  const main = page.getByRole("main");
  const dimmed = (what: string) =>
    page.evaluate<string>(`getComputedStyle(document.querySelector(${JSON.stringify(what)})).opacity`);
  // The server is slow.
  const answerMember = await held(page, "**/explorer/*member=*");
  await page.getByRole("link", { name: "Ivo Marten" }).click();
  await expect.poll(() => dimmed("main > .scroll")).toBe("0.5");
  expect(await main.getAttribute("aria-busy")).toBe("true");
  await shows(page, "API reference");
  expect((await drawnRows(page)).slice(0, 12)).toEqual(before);
  answerMember();
  await shows(page, "Ivo Marten");
  await expect.poll(() => dimmed("main > .scroll")).toBe("1");
  await page.goBack();
  await shows(page, "API reference");
  // The search is slow.
  const answerSearch = await held(page, "**/explorer/search*");
  await page.keyboard.press("Control+k");
  await page.locator("[role=combobox]").fill("gloss");
  await page.getByRole("dialog").getByText("Looking for “gloss”…").first().waitFor();
  answerSearch();
  await page.getByRole("dialog").getByText("1 match").first().waitFor();
  await page.keyboard.press("Escape");
  // The server is away.
  await kill();
  await page.getByRole("treeitem", { name: /Release notes/ }).click();
  await notice(page).getByText("The server is not answering.").waitFor();
  await expect.poll(() => dimmed("main > .scroll")).toBe("0.5");
  await shows(page, "API reference");
  expect((await drawnRows(page)).slice(0, 10)).toEqual(before.slice(0, 10));
  await serve(new URL(address).port);
  await tryNow(page);
  await shows(page, "Release notes");
  await kill();
});

test("an interrupted read continues when the server is back", async () => {
  const address = await serve();
  const page = await desk.tab(`${address}`);
  await signIn(page, token);
  await shows(page, "Acme");
  await kill();
  await page.keyboard.press("Control+k");
  await page.locator("[role=combobox]").fill("glossary");
  await notice(page).getByText("The server is not answering.").waitFor();
  await page.getByRole("dialog").getByText("The server is not answering.").first().waitFor();
  await serve(new URL(address).port);
  await page.getByRole("option", { name: /Glossary/ }).click();
  await shows(page, "Glossary");
  await kill();
});
