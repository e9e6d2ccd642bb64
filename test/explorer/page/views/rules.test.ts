/** The rules on the start page: the results of the last check, for callers who see everything. */
import { expect, test } from "vitest";
import { keepRuleResults, type RuleResults } from "../../../../src/store/rule-results.ts";
import { acme } from "../../../examples/acme.ts";
import { deskOver, rowsOf, shows } from "../desk.ts";

const desk = deskOver(acme, "acme");
/** In Acme, two guests have a direct permission outside collection Partner. */
const DIRECT = {
  who: "guests",
  what: { "everything but": { below: "partner" } },
  how: "none",
  permissions: "direct",
};
const defined = (rule: string, definition: object) => JSON.stringify({ rule, ...definition });
const RESULTS: RuleResults = {
  revision: 1,
  checkedAt: "2026-03-04T12:00:00.000Z",
  results: [
    { rule: "Two admins", breaches: 0 },
    { rule: "No guest <b>edits</b>", breaches: 2, definition: defined("No guest <b>edits</b>", DIRECT) },
    { rule: "Team Gone", breaches: null },
  ],
};

function record(results: RuleResults): Promise<void> {
  return desk.world.store.engine.transaction((connection) => keepRuleResults(connection, "acme", results));
}

test("nothing before a check was recorded; then each broken rule, and the kept ones collapsed", async () => {
  const before = await desk.visit();
  await shows(before, "Acme");
  await before.getByText("an organization token").waitFor();
  expect(await before.getByRole("heading", { name: "Rules" }).count()).toBe(0);

  await record(RESULTS);
  const page = await desk.visit("", { member: "ivo" });
  const block = page.getByRole("region", { name: "Rules" });
  await block.waitFor();
  expect(await block.getByRole("paragraph").innerText()).toMatch(
    /^1 of 3 broken, 1 cannot be checked\. Checked 4 Mar( 2026)?, \d\d:\d\d, revision 1\.$/,
  );
  expect((await block.getByRole("listitem").allInnerTexts()).map((text) => text.split("\n"))).toEqual([
    ["No guest <b>edits</b>", "2 breaches"],
    ["Team Gone", "cannot be checked"],
  ]);
  await block.getByText("1 kept").click();
  expect(await block.getByRole("listitem").last().innerText()).toBe("Two admins\nkept");
});

test("for other callers, the page neither shows nor requests them", async () => {
  const page = await desk.visit("", { member: "ana" });
  // Members begin on their own view.
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await shows(page, "Ana Lima");
  await page.getByRole("link", { name: "Rolebook" }).click();
  await page.getByText("the token of").waitFor();
  expect(await page.getByRole("region", { name: "Rules" }).count()).toBe(0);
  expect(asked.filter((url) => url.includes("explorer/rules"))).toEqual([]);
});

test("the answer changes when the next check is recorded, even at the same revision", async () => {
  const token = await desk.token();
  await record(RESULTS);
  const first = await desk.world.get("/explorer/rules", token);
  expect(JSON.parse(first.body)).toMatchObject({
    revision: 1,
    checked: { at: RESULTS.checkedAt, revision: 1 },
    rules: [
      { rule: "Two admins", breaches: 0, listed: false },
      { rule: "No guest <b>edits</b>", breaches: 2, listed: true },
      { rule: "Team Gone", breaches: null, listed: false },
    ],
  });
  const known = { "if-none-match": String(first.headers.etag) };
  expect((await desk.world.get("/explorer/rules", token, known)).status).toBe(304);
  await record({ ...RESULTS, results: [{ rule: "Two admins", breaches: 1 }] });
  const second = await desk.world.get("/explorer/rules", token, known);
  expect(second.status).toBe(200);
  expect(JSON.parse(second.body).rules).toEqual([{ rule: "Two admins", breaches: 1, listed: false }]);
});

const BREACHES = [
  ["Developer docs", "Kofi Mensah", "review", "direct permission here"],
  ["SDK guides", "Yuki Sato", "comment", "direct permission here"],
];

test("a breach opens the list of the rule's breaches, in the shown revision", async () => {
  await record(RESULTS);
  const page = await desk.visit();
  const block = page.getByRole("region", { name: "Rules" });
  await block.getByRole("link", { name: "2 breaches" }).click();
  await shows(page, "No guest <b>edits</b>");
  expect(await rowsOf(page)).toEqual(BREACHES);
  await page.getByText("2 breaches in all.").waitFor();
  expect(await page.getByText("Last check").count()).toBe(0);
  // The same after a reload; and a rule without a recorded definition says so.
  await page.reload();
  expect(await rowsOf(page)).toEqual(BREACHES);
  await page.goto(`${desk.address}?breaches&show=Two%20admins`);
  await page.getByText('No rule "Two admins" is recorded with its definition.').waitFor();
});

test("rules about a number, about the organization, and about what no longer exists", async () => {
  const rules = [
    ["One admin", { what: "organization", how: { "at most": 1 }, role: "admin" }],
    ["Guests have a role", { who: "guests", what: "organization", how: "none" }],
    ["Two read Salaries", { what: { space: "salaries" }, how: { "at most": 2 } }],
    ["Team Gone", { who: { team: "gone" }, what: "everything", how: "none" }],
    ["Team Gone reads", { who: { team: "gone" }, what: "everything", how: "all" }],
  ] as const;
  const results = rules.map(([rule, rest]) => ({ rule, breaches: 1, definition: defined(rule, rest) }));
  await record({ ...RESULTS, results });
  const page = await desk.visit("?breaches&show=One%20admin");
  expect(await rowsOf(page)).toEqual([
    ["organization", "2 members", "admin", "2 have it: ivo, priya; at most 1 accepted"],
  ]);
  await page.goto(`${desk.address}?breaches&show=Guests%20have%20a%20role`);
  await shows(page, "Guests have a role");
  expect((await rowsOf(page))[0]).toEqual(["organization", expect.any(String), "guest", "organization role"]);
  await page.goto(`${desk.address}?breaches&show=Two%20read%20Salaries`);
  await shows(page, "Two read Salaries");
  expect((await rowsOf(page))[0]?.slice(0, 2)).toEqual(["Salaries", expect.stringMatching(/^\d+ members$/)]);
  await page.goto(`${desk.address}?breaches&show=Team%20Gone`);
  await page.getByText("0 breaches in all.").waitFor();
  await page.goto(`${desk.address}?breaches&show=Team%20Gone%20reads`);
  await page
    .getByText(/^The rule cannot be checked: There is no team "gone" in organization acme at this revision\./)
    .waitFor();
});

test("the breaches are for callers who see everything, and of rules that are recorded", async () => {
  await record(RESULTS);
  const path = `/explorer/breaches?rule=${encodeURIComponent("No guest <b>edits</b>")}`;
  const { status, body } = await desk.world.get(path, await desk.token());
  expect(status).toBe(200);
  expect(body).toContain(
    "No guest <b>edits</b>,collection,developer-docs,Developer docs,kofi@partner.example,",
  );
  expect((await desk.world.get(path, await desk.token("ana"))).status).toBe(403);
  expect((await desk.world.get("/explorer/breaches?rule=x", await desk.token())).status).toBe(404);
  expect((await desk.world.get("/explorer/breaches", await desk.token())).status).toBe(404);
});

test("a check of another revision than the shown one says so, and its list is of the shown one", async () => {
  const withoutYuki = acme.filter(
    (each) => each.object !== "permission" || !("user" in each) || each.user !== "yuki@partner.example",
  );
  await desk.world.import(withoutYuki);
  const page = await desk.visit();
  const block = page.getByRole("region", { name: "Rules" });
  await block.getByText("This is older than revision 2, which the page shows.").waitFor();
  await block.getByRole("link", { name: "2 breaches" }).click();
  expect(await rowsOf(page)).toEqual(BREACHES.slice(0, 1));
  await page
    .getByText(
      /^Last check: 2 breaches\. Checked .*, revision 1\. This is older than revision 2, which the page shows\.$/,
    )
    .waitFor();
  // A page that stays at the old revision is told that the check is newer.
  await record({ ...RESULTS, revision: 2 });
  const now = await desk.visit();
  await now.getByRole("region", { name: "Rules" }).getByText(", revision 2.").waitFor();
  expect(await now.getByText("which the page shows").count()).toBe(0);
  await desk.world.import(acme);
  await record({ ...RESULTS, revision: 3 });
  await now.goto(`${desk.address}?breaches&show=${encodeURIComponent("No guest <b>edits</b>")}&at=1`);
  expect(await rowsOf(now)).toEqual(BREACHES);
});
