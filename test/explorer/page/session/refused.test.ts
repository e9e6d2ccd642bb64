/** The page's messages for refusals of the server. */
import { expect, onTestFinished, test, vi } from "vitest";
import { acme } from "../../../examples/acme.ts";
import { deskOver, placeOf, rowsOf, shows } from "../desk.ts";

const desk = deskOver(acme, "acme", { rateLimit: 150 });

test("nothing there", async () => {
  const page = await desk.visit("?space=no-such-space");
  await shows(page, "Not found");
  await page
    .getByText(
      "There is nothing here that your token can see. It may have been removed, or the address may be wrong.",
    )
    .waitFor();
  await page.getByRole("treeitem", { name: /Handbook/ }).waitFor();
});

test("not allowed to list", async () => {
  const page = await desk.visit("?space=api-reference", { member: "ana" });
  await shows(page, "API reference");
  await page
    .getByText(
      "Your token may see this but not list who has access. That takes create or admin here, or an organization token.",
    )
    .waitFor();
  await page.goto(`${desk.address}?member=ivo`);
  await page.getByText("Your token may not list what this member can reach.").waitFor();
});

test("no such role: the server's message, and a link to the whole list", async () => {
  const page = await desk.visit("?space=api-reference&role=owner");
  await page
    .getByText('The parameter role is "owner"; accepted: read, comment, edit, review, create, admin.')
    .waitFor();
  await page.getByRole("link", { name: "Show all" }).click();
  expect(await rowsOf(page)).not.toEqual([]);
  expect(placeOf(page)).toBe("/?space=api-reference");
});

test("an empty list, in words of each list", async () => {
  const page = await desk.visit("?space=release-notes&role=comment");
  await shows(page, "Release notes");
  for (const [query, sentence] of [
    ["space=salaries&tab=teams", "No team has a direct permission on this space."],
    ["space=release-notes&tab=people", "No person has a direct permission on this space."],
    ["member=release-bot&tab=teams", "Release bot is in no team."],
    ["members&q=xyz", "No name or e-mail has “xyz” in a word."],
    ["teams&q=xyz", "No title has “xyz” in a word."],
  ]) {
    await page.goto(`${desk.address}?${query}`);
    await page
      .getByText(sentence ?? "")
      .first()
      .waitFor();
  }
});

test("too many requests: the page says how long it waits, and stays readable", async () => {
  const token = await desk.token("priya");
  const headers = { authorization: `Bearer ${token}` };
  const page = await desk.visit("?space=api-reference", { member: "priya" });
  const rows = (await rowsOf(page)).slice(0, 12);
  // Windows of the rate limit are minutes of the server's clock.
  vi.useFakeTimers({ toFake: ["Date"] });
  onTestFinished(() => void vi.useRealTimers());
  while ((await fetch(`${desk.address}explorer/me`, { headers })).status !== 429);
  await page.getByRole("tab", { name: "Direct people" }).click();
  await page.getByText(/^Too many requests\. Going on in \d+ seconds?\.$/).waitFor();
  // The rows that were loaded before are still there, however many requests were refused since.
  await page.getByRole("tab", { name: /^Everyone/ }).click();
  expect((await rowsOf(page)).slice(0, 12)).toEqual(rows);

  const other = await desk.visit("", { member: null });
  await other.getByLabel("Access token").fill(token);
  await other.getByRole("button", { name: "Sign in" }).click();
  await other.getByText(/^Too many requests\. Try again in \d+ seconds\.$/).waitFor();
});
