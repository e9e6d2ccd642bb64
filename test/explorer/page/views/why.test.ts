/** Why, for every rule of docs/permissions.md: the page agrees with the oracle and with `rolebook why`. */
import { expect, test } from "vitest";
import { whyText } from "../../../../src/cli/commands/why.ts";
import { acme } from "../../../examples/acme.ts";
import { reasonOf, type Rule } from "../../../examples/reason.ts";
import { sentenceOf } from "../../../examples/sentence.ts";
import { type Content, factsOf } from "../../../oracle/facts.ts";
import type { Page } from "../../../parts/browser.ts";
import { explainIn } from "../../../store/why.ts";
import { deskOver, focusOf, placeOf, rowsOf, shows } from "../desk.ts";

const desk = deskOver(acme, "acme");
const facts = factsOf(acme, "acme");
const encode = encodeURIComponent;

/** User, kind and id: at least one case for every wording of docs/permissions.md, and for each ending. */
const CASES: Record<Rule, readonly (readonly [user: string, kind: Content["kind"], id: string])[]> = {
  "1": [
    ["nobody", "space", "glossary"],
    ["priya", "space", "api-reference"],
  ],
  "2a": [
    ["tomas", "space", "api-reference"],
    ["kofi@partner.example", "space", "changelog"],
    ["farid", "space", "sdk-guides"],
    ["oana", "collection", "partner"],
  ],
  "2b": [
    ["noor", "space", "api-reference"],
    ["bram", "space", "sdk-guides"],
    ["ana", "space", "sdk-guides"],
    ["pavel", "space", "glossary"],
    ["partner/mei", "collection", "partner"],
  ],
  "2c": [
    ["wen", "space", "benefits"],
    ["wen", "space", "partner-launch"],
    ["jonas@partner.example", "space", "style-guide"],
    ["jonas@partner.example", "space", "partner-onboarding"],
    ["zanele@partner.example", "space", "partner-pricing"],
  ],
  "2d": [
    ["ana", "space", "hiring"],
    ["leila", "space", "salaries"],
    ["kofi@partner.example", "collection", "people"],
  ],
  "3": [
    ["nils", "space", "release-notes"],
    ["nils", "collection", "product"],
    ["jonas@partner.example", "space", "sdk-guides"],
  ],
};

const sentenceOn = (page: Page) => page.locator(".say").innerText();

/** The shown ladder, as `rolebook why` prints it, without columns. */
function ladderOn(page: Page): Promise<string[]> {
  return page.evaluate<string[]>(`(() => {
    const text = (node) => [...node.childNodes].map((each) => each.classList?.contains("vh") ? "" : each.textContent).join("");
    const marks = { pass: "o", up: "v", hit: "@", rest: "." };
    return [...document.querySelectorAll(".ladder .level, .ladder ol > li")].flatMap((line) => {
      if (line.matches(".level")) return [[...line.querySelectorAll("bdi, em")].map(text).join(" ")];
      const [label, answer] = line.querySelector(".sl").children;
      const teams = [...line.querySelectorAll(".src li")].map((team) => {
        const which = team.querySelector("b") ?? (team.previousElementSibling ? null : line.querySelector(".tie"));
        return "team " + text(team.querySelector("bdi")) + " " + text(team.querySelector(".role")) + (which ? " (" + text(which) + ")" : "");
      });
      return [marks[line.className] + " " + text(label) + " " + text(answer), ...teams];
    });
  })()`);
}

async function printed(user: string, thing: { kind: Content["kind"] | "site"; id: string }) {
  const text = whyText(await explainIn(desk.world, "acme", user, thing));
  const [sentence, ...ladder] = text
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("o no answer"))
    .map((line) => line.trim().replaceAll(/ +/g, " "));
  return { sentence, ladder };
}

test.each(Object.entries(CASES))("rule %s", async (rule, cases) => {
  const page = await desk.visit("?space=glossary&why=ana");
  await page.getByRole("button", { name: "Show all steps" }).click();
  for (const [user, kind, id] of cases) {
    expect(reasonOf(facts, user, { kind, id }).rule, `${user} on ${kind} ${id}`).toBe(rule);
    await page.goto(`${desk.address}?${kind}=${id}&why=${encode(user)}`);
    await page.locator(".ladder").waitFor();
    const { sentence, ladder } = await printed(user, { kind, id });
    expect(await sentenceOn(page)).toBe(sentenceOf(facts, "Acme", user, { kind, id }));
    expect(await sentenceOn(page)).toBe(sentence);
    expect(await ladderOn(page)).toEqual(ladder);
  }
});

test("a site: the space that gives the role and its ladder, or none", async () => {
  const page = await desk.visit("?space=glossary&why=ana");
  await page.getByRole("button", { name: "Show all steps" }).click();
  for (const user of ["ana", "kofi@partner.example", "jonas@partner.example", "nobody"]) {
    await page.goto(`${desk.address}?site=acme-docs&why=${encode(user)}`);
    await page.locator(".say").waitFor();
    const { sentence, ladder } = await printed(user, { kind: "site", id: "acme-docs" });
    expect(await sentenceOn(page)).toBe(sentence);
    expect(await ladderOn(page)).toEqual(ladder);
  }
  expect(await page.getByText("nobody is not a member of Acme").count()).toBe(1);
});

/** The expected short reason in lists. */
function wordsFor(user: string, content: Content): string {
  const { rule, at, teams, role } = reasonOf(facts, user, content);
  const above = at !== undefined && (at.kind !== content.kind || at.id !== content.id);
  const title = facts.collections.get(at?.id ?? "")?.title;
  const on = above ? `on ${title}` : "here";
  switch (rule) {
    case "1":
      return "organization admin";
    case "2a":
      return `direct permission ${on}`;
    case "2b":
      return `team ${facts.teams.get(teams[0]?.id ?? "")?.title} ${on}`;
    case "2c":
      return above ? `default level of ${title}` : "default level here";
    case "2d":
      return `none, not ${role}`;
    case "3":
      return "organization role";
  }
}

test.each([
  ["space", "sdk-guides"],
  ["space", "glossary"],
  ["collection", "partner"],
] as const)("each row of %s %s says why, and opens it", async (kind, id) => {
  const page = await desk.visit(`?${kind}=${id}`, { viewport: { width: 1440, height: 1800 } });
  await rowsOf(page);
  const users = await page.evaluate<string[]>(
    `[...document.querySelectorAll("tbody tr[data-row] th a")].map((link) => link.id.slice("user-".length))`,
  );
  const reasons = (await rowsOf(page)).map((row) => row[2]);
  expect(reasons.length).toBeGreaterThan(10);
  expect(reasons).toEqual(users.map((user) => wordsFor(user, { kind, id })));

  const last = users.at(-1) ?? "";
  await page.locator("tbody tr[data-row] .bec button").last().click();
  await page.locator(".say").waitFor();
  expect(await sentenceOn(page)).toBe(sentenceOf(facts, "Acme", last, { kind, id }));
  expect(placeOf(page)).toBe(`/?${kind}=${id}&why=${encode(last)}`);
  expect(await focusOf(page)).toBe("Why");
});

test("of a member's space; the sentence, the link and the command are copied exactly", async () => {
  const page = await desk.visit("?member=partner%2Fmei", {
    permissions: ["clipboard-read", "clipboard-write"],
  });
  await shows(page, "Mei Tan");
  await page
    .getByRole("row", { name: /Glossary/ })
    .getByRole("button")
    .click();
  await page.locator(".say").waitFor();
  const copied = async (button: string) => {
    await page.getByRole("button", { name: button }).click();
    await page
      .getByRole("button", { name: "Copied" })
      .or(page.getByText("Copied", { exact: true }))
      .first()
      .waitFor();
    return page.evaluate<string>("navigator.clipboard.readText()");
  };
  const content = { kind: "space", id: "glossary" } as const;
  // The copied text is complete without the page: person with id, role, organization, revision, reason and link.
  const sentence = await copied("Copy sentence");
  expect(sentence).toMatch(
    /^Mei Tan \(([^,()]+@[^,()]+, )?id partner\/mei(, guest)?\) has \w+ on space Glossary \(id glossary\) of Acme \(id acme\), as of \d{4}-\d\d-\d\dT[\d:.]+Z, revision \d+[.] /,
  );
  expect(sentence).toContain(
    `. ${sentenceOf(facts, "Acme", "partner/mei", content)} ${desk.address}?member=`,
  );
  expect(await copied("Copy link")).toBe(`${desk.address}?member=partner%2Fmei&why=glossary`);
  expect(await copied("Copy the command")).toBe("rolebook why partner/mei space/glossary");
});

test("whether all steps are shown is stored for the tab", async () => {
  const page = await desk.visit("?space=api-reference&why=ana");
  await page.getByText("The step that decides").waitFor();
  expect(await ladderOn(page)).toEqual([
    "Handbook collection",
    "@ Team permissions review",
    "team Docs review (highest)",
    "team Writers comment",
  ]);
  await page.getByRole("button", { name: "Show all steps" }).click();
  await page.reload();
  await page.getByText("Steps, in the order they are asked").waitFor();
});
