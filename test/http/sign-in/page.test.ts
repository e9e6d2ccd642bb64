/** Signing in at the page, in Chromium, with a real provider. */
import { once } from "node:events";
import type { IncomingMessage } from "node:http";
import { createServer } from "node:net";
import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { revokeToken, listTokens } from "../../../src/store/tokens.ts";
import { acme } from "../../examples/acme.ts";
import { shows } from "../../explorer/page/desk.ts";
import { type BrowserContext, type Page, newContext } from "../../parts/browser.ts";
import { Provider } from "../../parts/provider.ts";
import { sqlitePlace, World } from "../../world.ts";
import { House } from "./house.ts";
import { Jar } from "./jar.ts";

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
  const ended = page.getByText("Your session or token expired or was revoked.");
  // The page may notice by what it still asks for, and then has no tree any more.
  await page
    .getByRole("treeitem", { name: /Handbook/ })
    .or(ended)
    .first()
    .click();
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

/** The cookies of a sign-in at a server whose public URL is https, which no browser of a test reaches. */
async function signInUnder(other: House, account: string): Promise<Jar> {
  const jar = new Jar();
  const callback = await other.toCallback(jar, account);
  await jar.ask(callback.replace(other.service.publicUrl, other.address));
  return jar;
}

test("a neighbour's cookie, whose name is ours behind U+00A0, is stored and sent by Chromium, and is nobody's", async () => {
  const other = await House.open(world.store, provider, {}, "https://docs.example");
  const sent: (string | undefined)[] = [];
  other.app.server.on("request", ({ headers }: IncomingMessage) => void sent.push(headers.cookie));
  let planted = "";
  // Cookies do not tell ports apart, and Node would not write this name.
  const neighbour = createServer((socket) => {
    const head = `HTTP/1.1 200 OK\r\nContent-Length: 0\r\nConnection: close\r\nSet-Cookie: ${planted}\r\n\r\n`;
    socket.once("data", () => socket.end(head, "latin1")).on("error", () => {});
  });
  await once(neighbour.listen(0, "127.0.0.1"), "listening");
  try {
    const page = await (await newContext()).newPage();
    contexts.push(page.context());
    const address = neighbour.address();
    const plant = async (cookie: string) => {
      planted = cookie;
      await page.goto(`http://127.0.0.1:${typeof address === "object" ? address?.port : ""}/`);
      await page.goto(`${other.address}/`);
    };
    const who = () =>
      page.evaluate<string>(
        `fetch("explorer/me").then(async (r) => (r.ok ? (await r.json()).caller.id : String(r.status)))`,
      );
    const evil = (await signInUnder(other, "ivo")).cookies.get("__Host-rolebook-session") ?? "";
    await plant(`\u00a0__Host-rolebook-session=${evil}; Path=/`);
    expect(await who()).toBe("401");
    expect(sent.at(-1)).toBe(`\u00a0__Host-rolebook-session=${evil}`);
    // What Chromium takes for the prefix itself, it does not store without Secure.
    for (const name of ["", "\t", "="]) await plant(`${name}__Host-rolebook-session=${evil}; Path=/`);
    expect(sent.at(-1)).toBe(`\u00a0__Host-rolebook-session=${evil}`);
    // Nor does it get in the way of a session, as our own server sets it.
    const own = (await signInUnder(other, "ana")).cookies.get("__Host-rolebook-session") ?? "";
    await plant(`__Host-rolebook-session=${own}; Path=/; HttpOnly; SameSite=Lax; Secure`);
    expect(await who()).toBe("ana");
    expect(sent.at(-1)).toContain(`\u00a0__Host-rolebook-session=${evil}`);
  } finally {
    neighbour.close();
    await other.close();
  }
});
