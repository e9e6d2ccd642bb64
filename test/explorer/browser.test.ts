/** The page in a real browser, over the real server. */
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, test } from "vitest";
import { listTokens, revokeToken } from "../../src/store/tokens.ts";
import { acme } from "../examples/acme.ts";
import { findBarriers } from "../parts/axe.ts";
import { launch } from "../parts/browser.ts";
import { sqlitePlace, World } from "../world.ts";

let world: World;
let browser: Awaited<ReturnType<typeof launch>>;
let address: string;
beforeAll(async () => {
  world = await World.open(sqlitePlace);
  await world.import(acme);
  await world.app.listen({ host: "127.0.0.1", port: 0 });
  const bound: AddressInfo | string | null = world.app.server.address();
  if (bound === null || typeof bound === "string") throw new Error("The server has no port.");
  address = `http://127.0.0.1:${bound.port}/`;
  browser = await launch();
});
afterAll(async () => {
  await browser.close();
  await world.close();
});

test("sign in, look at a space, and be signed out when the token is revoked", async () => {
  const page = await browser.newPage();
  const errors: string[] = [];
  page.on("pageerror", (error) => errors.push(error.message));
  await page.goto(`${address}?space=api-reference`);
  await page.getByLabel("Access token").fill(await world.token("acme"));
  await page.getByRole("button", { name: "Sign in" }).click();
  await page.getByRole("heading", { level: 1, name: "API reference" }).waitFor({ timeout: 15_000 });
  await page.getByRole("table").waitFor({ timeout: 15_000 });
  expect(await findBarriers(page)).toEqual([]);
  for (const { id } of await listTokens(world.store.engine)) await revokeToken(world.store.engine, id);
  await page.getByRole("button", { name: "Find" }).or(page.locator("[aria-keyshortcuts]")).first().click();
  await page.keyboard.type("ana");
  await page.getByLabel("Access token").waitFor({ timeout: 15_000 });
  expect(await page.getByRole("table").count()).toBe(0);
  expect(errors).toEqual([]);
  await page.close();
});
