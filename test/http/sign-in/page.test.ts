/** Signing in at the page, in Chromium, with a real provider. */
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { revokeToken, listTokens } from "../../../src/store/tokens.ts";
import { acme } from "../../examples/acme.ts";
import { shows } from "../../explorer/page/desk.ts";
import { type BrowserContext, type Page, newContext } from "../../parts/browser.ts";
import { Provider } from "../../parts/provider.ts";
import { sqlitePlace, World } from "../../world.ts";
import { House } from "./house.ts";

let world: World;
let provider: Provider;
let house: House;
const contexts: BrowserContext[] = [];
beforeAll(async () => {
  world = await World.open(sqlitePlace);
  await world.import(acme);
  provider = await Provider.start();
  house = await House.open(world.store, provider);
  for (const [account, email] of [
    ["ana", "ana.lima@acme.example"],
    ["ivo", "ivo.marten@acme.example"],
    ["stranger", "stranger@acme.example"],
  ]) {
    provider.accounts.set(account ?? "", { email, email_verified: true });
  }
});
afterEach(async () => {
  await Promise.all(contexts.splice(0).map((context) => context.close()));
});
afterAll(async () => {
  await house.close();
  await provider.go();
  await world.close();
});

async function open(query = "", context?: BrowserContext): Promise<Page> {
  const used = context ?? (await newContext({ viewport: { width: 1440, height: 900 } }));
  if (context === undefined) contexts.push(used);
  const page = await used.newPage();
  await page.goto(`${house.address}/${query}`);
  return page;
}

async function signIn(page: Page, account: string): Promise<void> {
  await page.getByRole("link", { name: "Sign in with 127.0.0.1" }).click();
  await page.getByLabel("Account").fill(account);
  await page.getByRole("button", { name: "Continue" }).click();
}

test("one button first, then back to the same view, and the header names the person", async () => {
  const page = await open("?space=api-reference");
  const button = page.getByRole("link", { name: "Sign in with 127.0.0.1" });
  await button.waitFor();
  expect(await page.evaluate<boolean>("document.activeElement.matches('a.btn')")).toBe(true);
  await page.getByLabel("Or an access token").waitFor();
  await signIn(page, "ivo");
  await shows(page, "API reference");
  expect(page.url()).toBe(`${house.address}/?space=api-reference`);
  expect(await page.locator("header .who").innerText()).toBe("Ivo Marten");
  expect(await page.evaluate<string>("document.cookie")).toBe("");
  expect(await page.evaluate<string>("JSON.stringify({ ...sessionStorage, ...localStorage })")).not.toContain(
    "rbs_",
  );
  await page.reload();
  await shows(page, "API reference");
  await page.goto(`${house.address}/`);
  await page.getByText(`the account at ${provider.issuer}`).waitFor();
});

test("two people after each other in one browser: nothing of the first is left, in no tab", async () => {
  const first = await open("?member=ivo");
  await signIn(first, "ivo");
  await shows(first, "Ivo Marten");
  const second = await open("?space=api-reference", first.context());
  await shows(second, "API reference");
  await first.getByRole("button", { name: "Sign out" }).click();
  for (const page of [first, second]) {
    await page.getByRole("link", { name: "Sign in with 127.0.0.1" }).waitFor();
    expect(await page.locator("body").innerText()).not.toContain("Ivo");
  }
  // The provider still knows the first person, and is told to ask.
  await signIn(first, "ana");
  await first.locator("header .who", { hasText: "Ana Lima" }).waitFor();
  await first.goBack();
  await second.reload();
  await second.locator("header .who", { hasText: "Ana Lima" }).waitFor();
  for (const page of [first, second])
    expect(await page.locator("body").innerText()).not.toContain("Ivo Marten");
});

test("whoever is refused reads in one sentence what to ask whom for, and the address has nothing of it", async () => {
  const page = await open("?space=api-reference");
  await signIn(page, "stranger");
  await page
    .getByRole("alert")
    .getByText(
      "Rolebook does not know you by this account. Ask whoever runs Rolebook here to look at your entry.",
    )
    .waitFor();
  expect(page.url()).toBe(`${house.address}/`);
});

test("a session that is revoked ends the page, and signing in again goes on there", async () => {
  const page = await open("?space=api-reference");
  await signIn(page, "ana");
  await shows(page, "API reference");
  for (const { id, issuer } of await listTokens(world.store.engine)) {
    if (issuer !== undefined) await revokeToken(world.store.engine, id);
  }
  await page.getByRole("treeitem", { name: /Handbook/ }).click();
  await page.getByText("Your session or token expired or was revoked.").waitFor();
  // The provider still knows the person.
  await page.getByRole("link", { name: "Sign in with 127.0.0.1" }).click();
  await shows(page, "Handbook");
});

test("a page of another site cannot use the session", async () => {
  const page = await open();
  await signIn(page, "ana");
  await page.locator("header .who").waitFor();
  const evil = await page.context().newPage();
  await evil.goto(provider.issuer.replace("127.0.0.1", "localhost"));
  const asked = await evil.evaluate<string>(
    `fetch("${house.address}/explorer/me", { credentials: "include" }).then((r) => String(r.status), String)`,
  );
  expect(asked).toContain("Failed to fetch");
  await evil.evaluate(
    `fetch("${house.address}/explorer/sign-out", { method: "POST", mode: "no-cors", credentials: "include" })`,
  );
  await evil.goto(`${house.address}/explorer/me`);
  expect(await evil.locator("body").innerText()).toContain('"code":403');
  await page.reload();
  await page.locator("header .who").waitFor();
});
