/** The server goes away and comes back: a process of its own, killed and started again at the same port. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { createToken } from "../../src/store/tokens.ts";
import { Program } from "../crash/program.ts";
import { acme } from "../examples/acme.ts";
import type { Page } from "../parts/browser.ts";
import { type Place, sqlitePlace, World } from "../world.ts";
import { Desk, rowsOf, shows, signIn } from "./desk.ts";

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

/** Serves; the address. */
async function serve(port = "0"): Promise<string> {
  server = new Program(["serve", "--port", port, "--database", place.url]);
  const [, address = ""] = await server.says(/at (http:\S+)/);
  return `${address}/`;
}

async function kill(): Promise<void> {
  server?.kill();
  await server?.ended;
}

const notice = (page: Page) => page.getByRole("region", { name: "Notice" });

test("what was read stays readable; the page waits, tries again by itself, and goes on", async () => {
  const address = await serve();
  const page = await desk.tab(`${address}?space=api-reference`);
  await signIn(page, token);
  // The bar takes a row's height or two.
  const top = async () => (await rowsOf(page)).slice(0, 12);
  const before = await top();
  await kill();
  await page.getByRole("tab", { name: /Direct people/ }).click();
  await notice(page)
    .getByText(
      /^The server is not answering\. What you see was read at \d\d:\d\d\. Trying again in \d+ seconds?\./,
    )
    .waitFor();
  // Back to what was read before.
  await page.goBack();
  expect(await top()).toEqual(before);
  // It waits longer and longer, and does not ask meanwhile.
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await notice(page)
    .getByText(/Trying again in 2 seconds/)
    .waitFor();
  const tries = asked.length;
  expect(tries).toBeLessThanOrEqual(2);
  await page.getByRole("button", { name: "Try now" }).click();
  await expect.poll(() => asked.length).toBeGreaterThan(tries);

  await serve(new URL(address).port);
  await page.getByRole("button", { name: "Try now" }).click();
  await notice(page).getByText("The server is back.").waitFor();
  await page.getByRole("tab", { name: /Direct people/ }).click();
  await page.getByText("3 people with a direct permission").first().waitFor();
  await notice(page).waitFor({ state: "detached" });
  await kill();
});

test("what was being read is read when the server is back", async () => {
  const address = await serve();
  const page = await desk.tab(`${address}`);
  await signIn(page, token);
  await shows(page, "Acme");
  await kill();
  await page.keyboard.press("Control+k");
  await page.getByRole("combobox").fill("glossary");
  await notice(page).getByText("The server is not answering.").waitFor();
  await serve(new URL(address).port);
  await page.getByRole("option", { name: /Glossary/ }).click();
  await shows(page, "Glossary");
  await kill();
});
