/** Navigation: every name is a link, a row opens Why, and people and spaces can be checked on every view. */
import { expect, test } from "vitest";
import { acme } from "../../../examples/acme.ts";
import { effectiveOf } from "../../../oracle/effective.ts";
import { type Facts, factsOf } from "../../../oracle/facts.ts";
import { ROLES } from "../../../oracle/records.ts";
import type { Page } from "../../../parts/browser.ts";
import { deskOver, focusOf, placeOf, rowsOf, shows } from "../desk.ts";

const desk = deskOver(acme, "acme");
const facts = factsOf(acme, "acme");

const box = (page: Page) => page.getByRole("dialog");

test("names in a row's reason, in the sentence and in the ladder are links", async () => {
  const page = await desk.visit("?space=api-reference");
  await rowsOf(page);
  const row = page.getByRole("row", { name: /Bram de Wit/ });
  await row.getByRole("link", { name: "Docs", exact: true }).click();
  await shows(page, "Docs");
  await page.goBack();
  await row.getByRole("link", { name: "Handbook", exact: true }).click();
  await shows(page, "Handbook");
  await page.goBack();
  await row.getByRole("button", { name: "Why Bram de Wit has review" }).click();
  const why = page.getByRole("complementary", { name: "Why" });
  await why.locator(".say").getByRole("link", { name: "Docs" }).waitFor();
  await why.locator(".ladder").getByRole("link", { name: "Docs" }).click();
  await shows(page, "Docs");
});

test("a click on a row opens Why, one on its name the person; a part of the bar filters", async () => {
  const page = await desk.visit("?space=api-reference");
  await rowsOf(page);
  const row = page.getByRole("row", { name: /Bram de Wit/ });
  await row.locator(".c-role").click();
  await expect.poll(() => placeOf(page)).toBe("/?space=api-reference&why=bram");
  await row.getByRole("link", { name: "Bram de Wit" }).click();
  await shows(page, "Bram de Wit");
  await page.goBack();
  await rowsOf(page);
  await page.locator(".mix .b-review").click();
  await expect.poll(() => placeOf(page)).toContain("role=review");
});

test("checking a person shows each match's role there", async () => {
  const page = await desk.visit("?site=acme-docs");
  await rowsOf(page);
  await page.getByRole("button", { name: "Check a person" }).click();
  await page.locator("[role=combobox]").fill("a");
  await box(page).getByRole("option").first().waitFor();
  await page.keyboard.press("Escape");
  await page.goto(`${desk.address}?space=salaries`);
  await rowsOf(page);
  await page.getByRole("button", { name: "Check a person" }).click();
  await page.locator("[role=combobox]").fill("p");
  const options = box(page).getByRole("option");
  await options.first().waitFor();
  const ids = new Map([...facts.users.values()].map(({ id, displayName }) => [displayName, id]));
  const said = await options.allInnerTexts();
  expect(said.length).toBeGreaterThan(1);
  for (const text of said) {
    const [name = "", , role] = text.split("\n").filter((part) => part.trim() !== "");
    const user = ids.get(name.trim()) ?? "";
    const expected = effectiveOf(facts, user, { kind: "space", id: "salaries" })?.role ?? "no access";
    expect([name, role?.trim()]).toEqual([name, expected]);
  }
});

test("on a member, a space, a collection or a site can be checked: why, or why not", async () => {
  const page = await desk.visit("?member=ana");
  await rowsOf(page);
  for (const [typed, place, sentence] of [
    ["salaries", "/?member=ana&why=salaries", /^No access, because/],
    ["handb", "/?member=ana&why=collection%2Fhandbook", /because team Docs has review on this collection/],
    ["acme do", "/?member=ana&why=site%2Facme-docs", /on this site|of Ana Lima’s roles/],
  ] as const) {
    await page.getByRole("button", { name: "Check a space" }).click();
    await page.locator("[role=combobox]").fill(typed);
    await box(page).getByText("1 match").first().waitFor();
    await page.keyboard.press("Enter");
    await expect.poll(() => placeOf(page)).toBe(place);
    await expect.poll(() => page.locator(".say").innerText()).toMatch(sentence);
  }
  // The role on each of the site's spaces, by the rules.
  const spaces = [...(facts.sites.get("acme-docs") ?? [])];
  const shown = await page
    .getByRole("complementary", { name: "Why" })
    .locator("ul.src")
    .last()
    .locator("li")
    .allInnerTexts();
  const expected = spaces.map((id) => {
    const role = effectiveOf(facts, "ana", { kind: "space", id })?.role ?? "no access";
    return `${facts.spaces.get(id)?.title} ${role}`;
  });
  expect(shown.map((text) => text.replaceAll(/\s+/g, " ").trim()).toSorted()).toEqual(expected.toSorted());
});

test("the search: recently opened subjects, and paths that keep their nearest collections", async () => {
  const page = await desk.visit("?member=bram");
  await rowsOf(page);
  await page.getByRole("treeitem", { name: /Release notes/ }).click();
  await shows(page, "Release notes");
  await page.keyboard.press("Control+k");
  await box(page).getByText("Opened recently").first().waitFor();
  expect(await box(page).getByRole("option").allInnerTexts()).toEqual([
    expect.stringMatching(/^Bram de Wit/),
    "Review this space",
    "Show another date",
    "Show what changed since a date",
  ]);
  await page.keyboard.press("Enter");
  await shows(page, "Bram de Wit");
  // An action is found by its words, like a subject.
  await page.keyboard.press("Control+k");
  await box(page).locator("[role=combobox]").fill("compare");
  await box(page).getByRole("option", { name: "Compare with a person" }).waitFor();
  await page.keyboard.press("Enter");
  await page.getByRole("combobox", { name: "Find a member to compare" }).waitFor();
  await page.keyboard.press("Escape");
  await page.keyboard.press("Control+k");
  await box(page).locator("[role=combobox]").fill("review this");
  await page.getByRole("option", { name: "Review this member" }).click();
  await page.getByRole("tab", { name: "Review", selected: true }).waitFor();
  await page.keyboard.press("Control+k");
  await box(page).locator("[role=combobox]").fill("batch");
  await box(page).getByText("1 match").first().waitFor();
  // Where a path has no room, it begins at a slash.
  expect((await box(page).locator(".path").innerText()).split(/\s+/).join(" ")).toBe(
    "Handbook / Developer docs / Beta",
  );
  await page.setViewportSize({ width: 360, height: 640 });
  await expect
    .poll(() =>
      page.evaluate<string[]>(`[...document.querySelectorAll(".pal .path bdi")].filter((each) =>
        each.getBoundingClientRect().bottom > each.parentElement.getBoundingClientRect().top + 4).map((each) => each.textContent)`),
    )
    .toContain("/ Beta");
});

test("a member begins on their spaces; a content that they may see but not list says why they have access; the search label matches", async () => {
  const page = await desk.visit("", { member: "ana" });
  await shows(page, "Ana Lima");
  expect(placeOf(page)).toBe("/?member=ana");
  await page.getByRole("button", { name: /^Find a space or collection/ }).click();
  await box(page).getByText("Type a part of a title").first().waitFor();
  await page.keyboard.press("Escape");
  await page.getByRole("link", { name: "API reference" }).click();
  await shows(page, "API reference");
  await page
    .locator(".say")
    .getByText(/^review, because/)
    .waitFor();
  expect(placeOf(page)).toBe("/?space=api-reference&why=ana");
  // The last step added no entry to the history.
  await page.goBack();
  await shows(page, "Ana Lima");
  expect(await focusOf(page)).not.toBe("");
});

test("a collection lists its contents with their role counts; choosing one opens the tree there", async () => {
  const page = await desk.visit("?collection=handbook");
  await rowsOf(page);
  await page.getByRole("tab", { name: "Contents 2" }).click();
  await page.getByText("2 contents, collections first, by title").first().waitFor();
  const row = page.getByRole("row", { name: /Developer docs/ });
  const users = [...facts.members.keys()];
  const roles = users.flatMap(
    (user) => effectiveOf(facts, user, { kind: "collection", id: "developer-docs" })?.role ?? [],
  );
  const admins = roles.filter((role) => role === "admin").length;
  await row.getByRole("img", { name: new RegExp(`^Roles on Developer docs: ${admins} admin, `) }).waitFor();
  await expect.poll(() => row.locator(".sum").innerText()).toBe(String(roles.length));
  await row.getByRole("link", { name: "Developer docs" }).click();
  await shows(page, "Developer docs");
  await page.getByRole("treeitem", { name: /Developer docs/, selected: true }).waitFor();
});

test("numbers are aligned; the tree's key explains its numbers", async () => {
  const page = await desk.visit("?teams");
  await rowsOf(page);
  const rights = await page.evaluate<number[]>(
    `[...document.querySelectorAll("td.c-members")].map((cell) => {
      const range = document.createRange();
      range.selectNodeContents(cell.firstChild);
      return range.getBoundingClientRect().right;
    })`,
  );
  expect(rights.length).toBeGreaterThan(2);
  expect(new Set(rights).size).toBe(1);
  await page.getByText("Number: permissions given directly here").waitFor();
});

test("from the deciding step to the effect of removing it, on one content and on all", async () => {
  const page = await desk.visit("?space=api-reference&why=bram");
  const why = page.getByRole("complementary", { name: "Why" });
  await why.getByRole("link", { name: "What if this were not there?" }).click();
  const source = "team/docs@collection/handbook";
  await expect
    .poll(() => placeOf(page))
    .toBe(`/?without=${encodeURIComponent(source)}&on=${encodeURIComponent("space/api-reference")}`);
  await shows(page, "Without team Docs’s review on collection Handbook");
  const sentence = page.locator("main .lead");
  const here = withoutTeam("docs", "space", "api-reference");
  await expect.poll(() => sentence.innerText()).toContain(`: ${wordsOf(here)}. Nothing is changed.`);
  const rows = await rowsOf(page);
  expect(rows).toHaveLength(here.length);
  await page.getByRole("link", { name: "8 contents that it affects" }).click();
  await expect
    .poll(() => sentence.innerText())
    .toMatch(/^On this collection and the 7 contents that inherit from it: nobody loses access, 4 fall/);
  expect(await rowsOf(page)).toHaveLength(8);
  // The list has each person on each content.
  await page.getByRole("link", { name: "Person by person" }).click();
  await page.getByText(/^\d+ rows, by content, losses of access first$/).waitFor();
  const all = await rowsOf(page);
  const there = all.filter(([, content]) => content?.startsWith("API reference"));
  expect(there).toHaveLength(here.length);
  // The filters are part of the address; the number and the file follow them.
  const [bar, foot] = [page.locator(".bar"), page.locator("footer")];
  await bar.getByText("Filters").click();
  await bar.getByLabel("Filter by role").selectOption("review");
  await bar.getByRole("button", { name: "lower role", exact: true }).click();
  await foot.getByText("rows with review (lower role), by content").waitFor();
  expect(placeOf(page)).toBe(`/?without=${encodeURIComponent(source)}&role=review&change=lowered&show=pairs`);
  expect(await rowsOf(page)).toEqual(all.filter(([, , now]) => now?.startsWith("review")));
  await page.goto(
    `${desk.address}?without=${encodeURIComponent(source)}&on=${encodeURIComponent("space/api-reference")}`,
  );
  await bar.getByLabel("Filter by name or e-mail").fill("ana");
  await foot.getByText("“ana” in a word: losses").waitFor();
  expect(await rowsOf(page)).toEqual(rows.filter(([who = ""]) => /ana/i.test(who)));
  const asked = page.waitForRequest((request) => request.url().includes("/explorer/csv?"));
  await page.reload();
  await page.getByRole("button", { name: "CSV" }).click();
  expect(new URL((await asked).url()).searchParams.get("q")).toBe("ana");
});

test("from a team's permission and from a default level to the effect of removing it", async () => {
  const page = await desk.visit("?collection=handbook&tab=teams");
  await rowsOf(page);
  await page.getByRole("link", { name: /^Without it ?, Docs$/ }).click();
  await shows(page, "Without team Docs’s review on collection Handbook");
  await page.goto(`${desk.address}?collection=people`);
  await rowsOf(page);
  await page.getByRole("link", { name: "Without it" }).click();
  await shows(page, "Without the default level of collection People (closed)");
  await page.getByText("24 people with another role: losses of access first").first().waitFor();
});

test("the spaces that a team opens: who has access only through it, and who has a higher role from elsewhere", async () => {
  const page = await desk.visit("?team=docs");
  await rowsOf(page);
  await page.getByRole("link", { name: "Reach", exact: true }).click();
  await shows(page, "Reach through Docs");
  const row = page.getByRole("row", { name: /API reference/ });
  const lost = withoutTeam("docs", "space", "api-reference").filter(([, later]) => later === 0).length;
  await row.getByRole("link", { name: `${lost} only through it` }).waitFor();
  await row.getByRole("link", { name: /with more from elsewhere/ }).click();
  await shows(page, "Members of Docs on API reference");
  const members = facts.teamMembers.filter(({ team }) => team === "docs").map(({ user }) => user);
  const there = members.filter((user) => roleOn(facts, user, "space", "api-reference") > 0);
  expect(await rowsOf(page)).toHaveLength(there.length);
});

test("two people compared, and one person on the spaces of a collection", async () => {
  const page = await desk.visit("?member=ana");
  await rowsOf(page);
  await page.getByRole("button", { name: "Compare" }).click();
  await page.locator("[role=combobox]").fill("bram");
  await box(page).getByText("1 match").first().waitFor();
  await page.keyboard.press("Enter");
  await expect.poll(() => placeOf(page)).toBe("/?compare=ana&other=bram");
  await shows(page, "Ana Lima and Bram de Wit");
  const spaces = [...facts.spaces.keys()].map((id) => ({
    one: roleOn(facts, "ana", "space", id),
    other: roleOn(facts, "bram", "space", id),
  }));
  const rows = await rowsOf(page);
  expect(rows).toHaveLength(spaces.filter(({ one, other }) => one + other > 0).length);
  await expect
    .poll(() => page.getByRole("cell", { name: "differs", exact: true }).count())
    .toBe(spaces.filter(({ one, other }) => one !== other).length);
  await page.goto(`${desk.address}?collection=handbook`);
  await rowsOf(page);
  await page.getByRole("button", { name: "Compare people" }).click();
  await page.locator("[role=combobox]").fill("ana lima");
  await box(page).getByText("1 match").first().waitFor();
  await page.keyboard.press("Enter");
  await expect.poll(() => placeOf(page)).toBe("/?compare=ana&on=collection%2Fhandbook");
  await shows(page, "Ana Lima");
});

/** The role of a user, from 0 for no access to 6. */
function roleOn(known: Facts, user: string, kind: "space" | "collection", id: string): number {
  const role = effectiveOf(known, user, { kind, id })?.role;
  return role === undefined ? 0 : ROLES.indexOf(role) + 1;
}

/** The roles before and after, as numbers, of everybody whose role on a content differs without a team. */
function withoutTeam(team: string, kind: "space" | "collection", id: string): [number, number][] {
  const rest = { ...facts, teamMembers: facts.teamMembers.filter((each) => each.team !== team) };
  return [...facts.members.keys()]
    .map((user): [number, number] => [roleOn(facts, user, kind, id), roleOn(rest, user, kind, id)])
    .filter(([now, later]) => now !== later);
}

function wordsOf(changes: readonly [number, number][]): string {
  const count = (isSo: (now: number, later: number) => boolean) =>
    changes.filter((each) => isSo(...each)).length;
  const lost = count((_, later) => later === 0);
  const fall = count((now, later) => later > 0 && later < now);
  const losing = lost === 0 ? "nobody loses" : lost === 1 ? "1 person loses" : `${lost} people lose`;
  const falling = fall === 0 ? "none fall" : fall === 1 ? "1 falls" : `${fall} fall`;
  return `${losing} access, ${falling}, none rise, none gain access`;
}
