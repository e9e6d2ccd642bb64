/** Choosing in the tree, choosing roles and lists, and Back and Forward. */
import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { acme } from "../../../examples/acme.ts";
import { effectiveOf } from "../../../oracle/effective.ts";
import { factsOf } from "../../../oracle/facts.ts";
import { byBytes } from "../../../oracle/order.ts";
import { ROLES } from "../../../oracle/records.ts";
import type { Page } from "../../../parts/browser.ts";
import { deskOver, focusOf, placeOf, rowsOf, shows } from "../desk.ts";

const desk = deskOver(acme, "acme");
const facts = factsOf(acme, "acme");
const STRONGEST_FIRST = ROLES.toReversed();

const tree = (page: Page) => page.getByRole("tree", { name: "Content" });

/** Name and role of everyone on a content by the oracle, strongest role first, then by id. */
function everyoneOn(kind: "space" | "collection", id: string): [name: string, role: string][] {
  return [...facts.members.keys()]
    .flatMap((user) => {
      const role = effectiveOf(facts, user, { kind, id })?.role;
      return role == null ? [] : [{ user, role }];
    })
    .sort(
      (a, b) => STRONGEST_FIRST.indexOf(a.role) - STRONGEST_FIRST.indexOf(b.role) || byBytes(a.user, b.user),
    )
    .map(({ user, role }) => [facts.users.get(user)?.displayName ?? user, role]);
}

/** Name and role of everyone on the content, as the page shows them. */
async function shown(page: Page): Promise<[name: string, role: string][]> {
  const names = await page.locator("tbody tr[data-row] th a").allInnerTexts();
  const rows = await rowsOf(page);
  return rows.map(([, role = ""], at) => [names[at] ?? "", role]);
}

test("the tree opens level by level; the chosen content is shown and marked", async () => {
  const page = await desk.visit();
  await tree(page).getByRole("treeitem").first().waitFor();
  const titles = () => tree(page).locator(".t").allInnerTexts();
  expect(await titles()).toEqual(["Handbook", "Partner", "People", "Product", "Release notes"]);
  const handbook = tree(page).getByRole("treeitem", { name: /Handbook/ });
  expect(await handbook.getAttribute("aria-expanded")).toBe("false");
  await handbook.locator(".tw").click();
  await tree(page)
    .getByRole("treeitem", { name: /Style guide/ })
    .waitFor();
  expect(await titles()).toEqual([
    "Handbook",
    "Developer docs",
    "Style guide",
    "Partner",
    "People",
    "Product",
    "Release notes",
  ]);
  // Expanding a node does not select it.
  expect(placeOf(page)).toBe("/");
  await tree(page)
    .getByRole("treeitem", { name: /Style guide/ })
    .click();
  await shows(page, "Style guide");
  expect(await tree(page).getByRole("treeitem", { selected: true }).innerText()).toContain("Style guide");
  expect(await page.getByRole("navigation", { name: "Path" }).innerText()).toMatch(/^Acme\s*\/\s*Handbook$/);
  expect(await focusOf(page)).toContain("Style guide");
});

test("a deep content is shown with its path, which the tree opens", async () => {
  const page = await desk.visit("?space=batch-api");
  await tree(page).getByRole("treeitem", { selected: true }).getByText("Batch API").waitFor();
  expect(await tree(page).getByRole("treeitem", { expanded: true }).locator(".t").allInnerTexts()).toEqual([
    "Handbook",
    "Developer docs",
    "Beta",
  ]);
});

test.each([
  ["space", "api-reference"],
  ["space", "benefits"],
  ["collection", "partner"],
] as const)("%s %s: everyone, and those with each role", async (kind, id) => {
  // The window is high enough to draw all rows.
  const page = await desk.visit(`?${kind}=${id}`, { viewport: { width: 1440, height: 1800 } });
  const everyone = everyoneOn(kind, id);
  const chips = page.getByRole("group", { name: "Filter by role" });
  await chips.getByRole("button", { name: `All roles ${everyone.length}` }).waitFor();
  await rowsOf(page);
  await expect.poll(() => shown(page)).toEqual(everyone);
  for (const role of STRONGEST_FIRST) {
    const some = everyone.filter((row) => row[1] === role);
    const chip = chips.getByRole("button", { name: new RegExp(`^${role} ${some.length}\\b`) });
    await chip.click();
    expect(placeOf(page)).toBe(`/?${kind}=${id}&role=${role}`);
    expect(await chip.getAttribute("aria-pressed")).toBe("true");
    if (some.length === 0) {
      await page.getByText(`No one has ${role} here.`).waitFor();
      continue;
    }
    await page
      .getByText(`${some.length} ${some.length === 1 ? "member" : "members"} with ${role}, by member id`)
      .first()
      .waitFor();
    await expect.poll(() => shown(page)).toEqual(some);
  }
  await chips.getByRole("button", { name: "All roles" }).click();
  await page.getByText("strongest role first, then by member id").waitFor();
  await expect.poll(() => shown(page)).toEqual(everyone);
});

test("tabs: people and teams with permissions here, a site's spaces, a member's teams", async () => {
  const page = await desk.visit("?space=api-reference");
  const tab = (name: RegExp) => page.getByRole("tab", { name });
  await tab(/^Direct people 3$/).click();
  await page.getByText("3 people with a direct permission").waitFor();
  await expect
    .poll(() => shown(page))
    .toEqual([
      ["Tomás Echeverría", "admin"],
      ["Daniel Osei", "review"],
      ["Priya Raman", "comment"],
    ]);
  await tab(/^Direct teams 1$/).click();
  await page.getByRole("link", { name: "Platform", exact: true }).waitFor();
  await expect.poll(() => shown(page)).toEqual([["Platform", "create"]]);

  await page.goto(`${desk.address}?site=partner-hub&tab=spaces`);
  await page.getByText("4 spaces, by title").waitFor();
  expect((await shown(page)).map(([name]) => name)).toEqual([
    "Changelog",
    "Partner launch",
    "Partner onboarding",
    "Partner pricing",
  ]);
  await page.goto(`${desk.address}?member=ana&tab=teams`);
  await page.getByText("3 teams, by team id").waitFor();
  await expect
    .poll(() => shown(page))
    .toEqual([
      ["Docs", "owner"],
      ["Translators", "member"],
      ["Writers", "member"],
    ]);
  await page.getByLabel("Filter by title").fill("WRI");
  await page.getByText("1 team with “WRI” in a word").first().waitFor();
  expect(placeOf(page)).toBe("/?member=ana&tab=teams&q=WRI");
});

test("Back and Forward go through the choices, and restore scroll and focus; typing adds no history entry", async () => {
  const page = await desk.visit("?collection=handbook", { viewport: { width: 1440, height: 640 } });
  await rowsOf(page);
  const scroll = () => page.evaluate<number>("document.querySelector('.scroll').scrollTop");
  await page.evaluate("document.querySelector('.scroll').scrollTop = 400");
  const row = page.getByRole("row", { name: /Noor Aziz/ });
  await row.getByRole("link", { name: "Noor Aziz" }).focus();
  const before = await scroll();
  expect(before).toBeGreaterThan(0);
  await page.keyboard.press("Enter");
  await shows(page, "Noor Aziz");
  expect(await scroll()).toBe(0);
  await page.getByRole("tab", { name: /Teams/ }).click();
  await page.getByLabel("Filter by title").pressSequentially("plat");
  await page.getByText("1 team with “plat” in a word").first().waitFor();

  await page.goBack();
  await page.getByRole("tab", { name: "Spaces", selected: true }).waitFor();
  expect(placeOf(page)).toBe("/?member=noor");
  await page.goBack();
  await shows(page, "Handbook");
  await expect.poll(() => focusOf(page)).toBe("Noor Aziz");
  expect(await scroll()).toBe(before);
  await page.goForward();
  await shows(page, "Noor Aziz");
  await page.goForward();
  await page.getByText("1 team with “plat” in a word").first().waitFor();
  expect(await page.getByLabel("Filter by title").inputValue()).toBe("plat");
});

test("a list is filtered by name, by reason and to guests; the address, the counts and the text show it", async () => {
  const page = await desk.visit("?collection=handbook");
  const all = await rowsOf(page);
  const bar = page.locator(".bar");
  await bar.getByRole("button", { name: "team", exact: true }).focus();
  await page.keyboard.press("Enter");
  await page.locator("footer", { hasText: "because of team" }).waitFor();
  const byTeam = await rowsOf(page);
  expect(placeOf(page)).toBe("/?collection=handbook&reason=team");
  expect(byTeam).toEqual(all.filter(([, , why]) => why?.startsWith("team ")));
  expect(await page.locator(".chips .all .n").innerText()).toBe(String(byTeam.length));
  // A second filter adds to the first one, and Back removes it.
  await bar.getByRole("button", { name: "direct", exact: true }).click();
  await page.locator("footer", { hasText: "direct or team" }).waitFor();
  await page.goBack();
  await page.locator("footer", { hasText: "because of team)" }).waitFor();
  const [name = ""] = (byTeam[0]?.[0] ?? "").split(" ");
  await bar.getByLabel("Filter by name or e-mail").fill(name.slice(0, 2).toUpperCase());
  await page.locator("footer", { hasText: "in a word" }).waitFor();
  expect(placeOf(page)).toBe(`/?collection=handbook&reason=team&q=${name.slice(0, 2).toUpperCase()}`);
  const named = await rowsOf(page);
  expect(named.length).toBeGreaterThan(0);
  expect(byTeam).toEqual(expect.arrayContaining(named));
  await bar.getByLabel("Filter by name or e-mail").fill("zz");
  await bar.getByRole("button", { name: "guests", exact: true }).click();
  await page.getByText("Nothing here matches: because of team, guests only, “zz” in a word").waitFor();
  await page.locator(".empty").getByRole("link", { name: "Show all" }).click();
  await page.locator("footer", { hasText: "members, strongest role first" }).waitFor();
  expect(placeOf(page)).toBe("/?collection=handbook");
});

test("the head of the first column sorts by name, and back; the file has the same order", async () => {
  const page = await desk.visit("?space=api-reference&least=edit", { acceptDownloads: true });
  const shown = async () => (await rowsOf(page)).map(([name = ""]) => name);
  const byRole = await shown();
  const head = page.getByRole("columnheader", { name: "Member" });
  await head.getByRole("button").click();
  await page.locator("footer", { hasText: /members \(edit or stronger\), by name$/ }).waitFor();
  expect(placeOf(page)).toBe("/?space=api-reference&least=edit&sort=name");
  expect(await head.getAttribute("aria-sort")).toBe("ascending");
  const byName = await shown();
  expect(byName).not.toEqual(byRole);
  expect(byName).toEqual(byRole.toSorted((a, b) => a.localeCompare(b, "en")));
  const [download] = await Promise.all([
    page.waitForEvent("download"),
    page.getByRole("button", { name: "CSV" }).click(),
  ]);
  const lines = readFileSync(await download.path(), "utf8")
    .split("\r\n")
    .slice(6, -1);
  expect(lines.map((line) => line.split(",")[1])).toEqual(
    byName.map((name) => expect.stringMatching(new RegExp(`^${name.slice(0, 5)}`))),
  );
  await head.getByRole("button").click();
  await page.locator("footer", { hasText: "strongest role first" }).waitFor();
  expect(await shown()).toEqual(byRole);
  await page.goto(`${desk.address}?member=ana`);
  await page.getByLabel("Order").selectOption({ label: "by name" });
  await page.locator("footer", { hasText: /spaces, by name$/ }).waitFor();
  const titles = await shown();
  expect(titles).toEqual(titles.toSorted((a, b) => a.localeCompare(b, "en")));
});
