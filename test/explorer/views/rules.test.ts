/** The rules on the start page: the results of the last check, for callers who see everything. */
import { expect, test } from "vitest";
import { keepRuleResults, type RuleResults } from "../../../src/store/rule-results.ts";
import { acme } from "../../examples/acme.ts";
import { deskOver, shows } from "../desk.ts";

const desk = deskOver(acme, "acme");
const RESULTS: RuleResults = {
  revision: 1,
  checkedAt: "2026-03-04T12:00:00.000Z",
  results: [
    { rule: "Two admins", breaches: 0 },
    { rule: "No guest <b>edits</b>", breaches: 2 },
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
    /^2 of 3 broken\. Checked 4 Mar( 2026)?, \d\d:\d\d, revision 1\.$/,
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
    rules: RESULTS.results,
  });
  const known = { "if-none-match": String(first.headers.etag) };
  expect((await desk.world.get("/explorer/rules", token, known)).status).toBe(304);
  await record({ ...RESULTS, results: [{ rule: "Two admins", breaches: 1 }] });
  const second = await desk.world.get("/explorer/rules", token, known);
  expect(second.status).toBe(200);
  expect(JSON.parse(second.body).rules).toEqual([{ rule: "Two admins", breaches: 1 }]);
});
