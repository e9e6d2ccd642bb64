/** Signing in and out, with every kind of token. */
import { expect, test } from "vitest";
import { acme } from "../../../examples/acme.ts";
import { deskOver, placeOf, shows, signIn } from "../desk.ts";

const desk = deskOver(acme, "acme");

test("an address without a token leads to signing in, and then to its view", async () => {
  const page = await desk.visit("?collection=handbook&tab=people", { member: null });
  await shows(page, "Who can do what, and why");
  expect(await page.title()).toBe("Sign in – Rolebook");
  await signIn(page, await desk.token());
  await shows(page, "Handbook");
  expect(placeOf(page)).toBe("/?collection=handbook&tab=people");
  expect(await page.title()).toBe("Handbook – who has access – Rolebook");
  // The token is still stored after a reload in the same tab.
  await page.reload();
  await shows(page, "Handbook");
});

test("the address of a space in answers leads to its view", async () => {
  const page = await desk.visit("s/api-reference");
  await shows(page, "API reference");
  expect(placeOf(page)).toBe("/?space=api-reference");
});

test.each([
  ["", "Paste or type an access token."],
  ["rb_nonsense", "This token is not valid. It may be mistyped, expired or revoked."],
  ["пароль", "This token is not valid. It may be mistyped, expired or revoked."],
])("the token %j is refused at the field and not stored", async (token, sentence) => {
  const page = await desk.visit("?space=api-reference", { member: null });
  const field = page.getByLabel("Access token");
  await field.fill(token);
  await field.press("Enter");
  await page.getByRole("alert").getByText(sentence, { exact: true }).waitFor();
  expect(await field.getAttribute("aria-invalid")).toBe("true");
  expect(await page.evaluate<string>("document.activeElement.id")).toBe("token");
  expect(await page.evaluate<number>("sessionStorage.length + localStorage.length")).toBe(0);
  expect(placeOf(page)).toBe("/?space=api-reference");
});

test("the token is only in session storage, and signing out deletes it", async () => {
  const page = await desk.visit("?space=api-reference");
  await shows(page, "API reference");
  const token = await desk.token();
  const stored = await page.evaluate<string[]>(
    `[JSON.stringify({ ...sessionStorage }), JSON.stringify({ ...localStorage }), document.cookie, location.href, JSON.stringify(history.state)]`,
  );
  expect(stored.map((text) => text.includes(token))).toEqual([true, false, false, false, false]);
  await page.getByRole("button", { name: "Sign out" }).click();
  await shows(page, "Who can do what, and why");
  expect(await page.evaluate<number>("sessionStorage.length")).toBe(0);
  expect(await page.locator("body").innerText()).not.toContain("Ivo Marten");
  expect(await page.getByText("expired or was revoked").count()).toBe(0);
});

test("an organization token sees the totals; a member's token sees what that member sees", async () => {
  const all = await desk.visit();
  await shows(all, "Acme");
  await all.getByText("an organization token").waitFor();
  expect(await all.locator(".totals").innerText()).toMatch(/Members\s+34/);
  expect(await all.getByRole("navigation", { name: "Directory" }).innerText()).toContain("Acme Docs");

  const reader = await desk.visit("", { member: "ana" });
  await shows(reader, "Ana Lima");
  await reader.getByRole("link", { name: "Rolebook" }).click();
  await reader.getByText("the token of").waitFor();
  await reader.getByRole("treeitem", { name: /Handbook/ }).waitFor();
  const directory = await reader.getByRole("navigation", { name: "Directory" }).innerText();
  expect(directory).not.toMatch(/Sites|Members|Teams|People/);
  expect(await reader.locator(".totals").count()).toBe(0);
});

test("a guest's token: their access with reasons, and what they may not list", async () => {
  const page = await desk.visit("", { member: "yuki@partner.example" });
  await shows(page, "Yuki Sato");
  await page.getByRole("treeitem").first().waitFor();
  expect(await page.getByRole("treeitem").allInnerTexts()).toEqual([expect.stringContaining("SDK guides")]);
  await page.getByRole("treeitem").click();
  await shows(page, "SDK guides");
  await page.getByText("Your token may see this but not list who has access.").waitFor();
  expect(await page.getByRole("table").count()).toBe(0);

  await page.goto(`${desk.address}?space=sdk-guides&why=yuki%40partner.example`);
  await page.getByText("comment, because Yuki Sato has comment directly on this space.").waitFor();
  await page.goto(`${desk.address}?space=api-reference`);
  await page.getByText("Nothing here that your token can see.").waitFor();
  await page.goto(`${desk.address}?members`);
  await page.getByText("Your token may not list this.").waitFor();
});
