/** POST /explorer/review: the bytes of `rolebook review`, for whom, and what it refuses. */
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { MOST_ROWS } from "../../../src/explorer/server/report.ts";
import { rolebook } from "../../command.ts";
import { acme } from "../../examples/acme.ts";
import { sqlitePlace, World } from "../../world.ts";

let world: World;
let token: string;
let address: string;
const folder = mkdtempSync(join(tmpdir(), "rolebook-answers-"));
const file = join(folder, "review.csv");
const outcomesOf = ["review", file, "--format", "csv"];

/** A report with decisions of each kind, in the order of its rows. */
const WORDS = ["keep", "remove", "", "ask", "remove", "perhaps"];

beforeAll(async () => {
  world = await World.open(sqlitePlace);
  await world.import(acme);
  token = await world.token("acme");
  address = await world.app.listen({ host: "127.0.0.1", port: 0 });
  const { stdout } = await rolebook(["report", "--guests"], environment());
  const [head, ...rows] = stdout.split(/(?<=\r\n)(?=space|collection)/);
  const decided = rows.map((row, at) => row.replace(/,,\r\n$/, `,${WORDS[at % WORDS.length]},Ça\r\n`));
  writeFileSync(file, [head, ...decided].join(""));
  // The outcomes are those of a later revision.
  await world.import(
    acme.filter((record) => !(record.object === "permission" && record.user === "yuki@partner.example")),
  );
});
afterAll(async () => {
  await world.close();
  rmSync(folder, { recursive: true, force: true });
});

const environment = () => ({ ROLEBOOK_DATABASE_URL: world.url });
const saved = () => readFileSync(file, "utf8");

async function post(query: string, body: unknown, { as = token, ...headers }: Record<string, string> = {}) {
  const response = await fetch(`${address}/explorer/review${query}`, {
    method: "POST",
    headers: { authorization: `Bearer ${as}`, "content-type": "application/json", ...headers },
    body: typeof body === "string" ? body : JSON.stringify(body),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** The status and the message of a refusal. */
async function refused(...request: Parameters<typeof post>): Promise<string> {
  const { status, text } = await post(...request);
  return `${status} ${JSON.parse(text).error.message}`;
}

test("answers the bytes that rolebook review prints and writes, as often as it is asked", async () => {
  const report = saved();
  const outcomes = await rolebook(outcomesOf, environment());
  const changes = join(folder, "removals.ndjson");
  const preview = await rolebook([...outcomesOf, "--changes", changes], environment());
  for (const [answer, bytes, type] of [
    ["outcomes", outcomes.stdout, "text/csv; charset=utf-8"],
    ["preview", preview.stdout, "text/csv; charset=utf-8"],
    ["changes", readFileSync(changes, "utf8"), "application/x-ndjson"],
    ["outcomes", outcomes.stdout, "text/csv; charset=utf-8"],
  ] as const) {
    const { status, headers, text } = await post(`?answer=${answer}`, { report });
    expect({ status, text }, answer).toEqual({ status: 200, text: bytes });
    expect(headers.get("content-type")).toBe(type);
    expect([headers.get("x-rolebook-revision"), headers.get("x-rolebook-altered")]).toEqual(["2", "no"]);
    expect(text.split("\n").length, answer).toBeGreaterThan(2);
  }
});

test("answers the page that rolebook review signs off, but for the time", async () => {
  const name = join(folder, "summary.html");
  await rolebook(["review", file, "--summary", name, "--by", "Ana <Lima>"], environment());
  const { text } = await post("?answer=sign-off", { report: saved(), file, by: "Ana <Lima>" });
  const timeless = (page: string) => page.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, "TIME");
  expect(timeless(text)).toBe(timeless(readFileSync(name, "utf8")));
  expect(text).toContain("Ana &lt;Lima&gt;");
});

test("says that a report was altered beyond its decisions", async () => {
  const altered = saved().replace(/(.*)review/s, "$1read");
  expect((await post("?answer=outcomes", { report: altered })).headers.get("x-rolebook-altered")).toBe("yes");
  const { text } = await post("?answer=sign-off", { report: altered, by: "Ana" });
  expect(text).toContain("cells other than decision and comment have changed");
});

test("is for organization tokens and organization admins", async () => {
  const body = { report: saved() };
  expect((await post("?answer=changes", body, { as: await world.token("acme", "ivo") })).status).toBe(200);
  expect(await refused("?answer=changes", body, { as: await world.token("acme", "ana") })).toMatch(/^403 /);
  expect(await refused("?answer=changes", body, { as: "rb_no" })).toMatch(/^401 /);
});

test("refuses what is no decided report of this organization, before it is read where that is possible", async () => {
  const report = saved();
  const row = report.slice(report.lastIndexOf("\r\n", report.length - 3) + 2);
  for (const [query, body, why, headers = {}] of [
    ["", { report }, '400 The parameter answer is ""; accepted: preview, changes, outcomes, sign-off.'],
    ["?answer=all", { report }, '400 The parameter answer is "all"'],
    ["?answer=changes&revision=1", { report }, '400 There is no parameter "revision"'],
    ["?answer=changes", "report", '415 The content type is "text/csv"', { "content-type": "text/csv" }],
    ["?answer=changes", "{}", '415 The content encoding is "gzip"', { "content-encoding": "gzip" }],
    ["?answer=changes", "{", "400 The body is not JSON in UTF-8."],
    ["?answer=changes", {}, "400 The body is not a decided report; accepted: an object with report"],
    ["?answer=changes", { report: 1 }, "400 The body is not a decided report"],
    ["?answer=changes", { report, x: 1 }, "400 The body is not a decided report"],
    ["?answer=changes", null, "400 The body is not a decided report"],
    ["?answer=changes", { report: "x" }, "400 review.csv is not a report of rolebook report with its head"],
    ["?answer=sign-off", { report }, "400 The body has no by"],
    ["?answer=sign-off", { report, by: " " }, "400 The body has no by"],
    [
      "?answer=changes",
      { report: report.replace("organization,acme", "organization,other") },
      '400 The report is of organization "other"; accepted: acme.',
    ],
    [
      "?answer=changes",
      { report: report.replace("revision,1", "revision,77") },
      "400 The report is of revision 77, and the current one is 2",
    ],
    [
      "?answer=changes",
      { report: report + row.repeat(MOST_ROWS) },
      "413 The report has more than 20,000 rows; use rolebook review.",
    ],
    [
      "?answer=changes",
      { report: report.replace("organization,acme", `organization,${"x".repeat(9999)}`) },
      `400 The report is of organization "${"x".repeat(100)}…"; accepted: acme.`,
    ],
    [
      "?answer=changes",
      { report: report + '"'.repeat(7e6) },
      `400 review.csv, row ${report.split("\r\n").length}: the row is longer than 262144 characters`,
    ],
    ["?answer=changes", { report: "x".repeat(17 << 20) }, "413 The body is larger than 16 MiB."],
  ] as const) {
    const said = await refused(query, body, headers);
    expect(said.slice(0, why.length)).toBe(why);
  }
});

test("every other path keeps GET, and this one has POST alone", async () => {
  for (const method of ["GET", "HEAD", "PUT", "DELETE", "OPTIONS"]) {
    const { status, headers } = await world.ask(method, "/explorer/review?answer=changes", token);
    expect([status, headers.allow], method).toEqual([405, "POST"]);
  }
  for (const path of ["/explorer/me", "/v1/spaces/sdk-guides/permissions/users", "/explorer/report"])
    expect((await world.ask("POST", path, token)).headers.allow, path).toBe("GET, HEAD");
  expect((await world.ask("POST", "/explorer/nothing", token)).status).toBe(404);
});

test("a body that never ends stops at its limit, and a client that leaves is no error", async () => {
  const endless = new ReadableStream({ pull: (body) => body.enqueue(new Uint8Array(1 << 20).fill(32)) });
  const sent = fetch(`${address}/explorer/review?answer=changes`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: endless,
    duplex: "half",
  } as RequestInit);
  // The server answers before it has read everything; then it may close the connection.
  const status = await sent.then((response) => response.status).catch(() => 413);
  expect(status).toBe(413);
  const leaving = new AbortController();
  const come = once(world.app.server, "request");
  const left = fetch(`${address}/explorer/review?answer=changes`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: new ReadableStream({ start: (body) => body.enqueue(new Uint8Array(9)) }),
    duplex: "half",
    signal: leaving.signal,
  } as RequestInit).catch(() => "left");
  await come;
  leaving.abort();
  expect(await left).toBe("left");
  // Its place among the downloads is free again.
  for (let asked = 0; asked < 3; asked++)
    await expect.poll(async () => (await post("?answer=changes", { report: saved() })).status).toBe(200);
});
