/** A path that does not exist: a page for a browser, JSON for every other client and for every path of the API. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { acme } from "../examples/acme.ts";
import { type Answer, ownPlace, World } from "../world.ts";

let world: World;
beforeAll(async () => {
  world = await World.open(ownPlace);
  await world.import(acme);
});
afterAll(() => world.close());

/** What Chromium, Firefox and Safari send for an address that a person opens. */
const BROWSERS = [
  "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,image/apng,*/*;q=0.8,application/signed-exchange;v=b3;q=0.7",
  "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
  "TEXT/HTML ; charset=utf-8 , */*",
  "text/html",
  "application/json;q=0.5, text/html;q=0.9",
];
const PROGRAMS = [
  undefined,
  "",
  "*/*",
  "text/*",
  "application/json",
  "application/json, text/plain, */*",
  "application/json, text/html",
  "text/html;q=0.4, application/json;q=0.5",
  "text/html;q=0, */*",
  "text/html; q=0.000",
  "text/html;q=many",
  "text/htmlx, image/text/html",
  'application/x;a="text/html", */*',
];
const PATHS = [
  "/nothing",
  "/index.html",
  "/V1/orgs/acme",
  "/a/b//c/",
  "/s/..",
  "/assets/index-gone.js",
  "/%zz",
  "/docs/",
];
const OF_THE_API = [
  "/v1",
  "/v1/",
  "/v1/nothing",
  "/%761/nothing",
  "/at/1",
  "/at/1/v1/nothing",
  "/explorer",
  "/explorer/nothing",
];

const JSON_TYPE = "application/json; charset=utf-8";
const NOTHING = '{"error":{"code":404,"message":"There is nothing at this path."}}';

test.each(BROWSERS)("a browser that sends Accept: %s gets a page", async (accept) => {
  for (const path of PATHS) {
    const { status, headers, body } = await world.get(path, undefined, { accept });
    expect([status, headers["content-type"], headers["cache-control"], headers.vary], path).toEqual([
      404,
      "text/html; charset=utf-8",
      "no-store",
      "Accept",
    ]);
    expect(headers["content-security-policy"]).toMatch(/^default-src 'none'; style-src 'sha256-/);
    expect(headers["x-content-type-options"]).toBe("nosniff");
    expect(body).toContain("<h1>There is nothing at this address</h1>");
    expect(body).not.toMatch(/acme|[{]"error"/i);
    // The page depends on nothing but the depth of the path.
    const other = path.replaceAll(/[^/]/g, "x");
    expect((await world.get(other, undefined, { accept })).body).toBe(body);
  }
});

test.each(PROGRAMS)("a program that sends Accept: %s gets JSON", async (accept) => {
  for (const path of PATHS) {
    const { status, headers, body } = await world.get(
      path,
      undefined,
      accept === undefined ? {} : { accept },
    );
    expect([status, headers["content-type"], headers.vary, body], path).toEqual([
      404,
      JSON_TYPE,
      "Accept",
      NOTHING,
    ]);
  }
});

test.each(BROWSERS)("paths of the API answer with JSON to Accept: %s too", async (accept) => {
  const token = await world.token("acme");
  for (const path of OF_THE_API) {
    const known = await world.get(path, token, { accept });
    expect([known.status, known.headers["content-type"], known.body], path).toEqual([
      404,
      JSON_TYPE,
      NOTHING,
    ]);
    const unknown = await world.get(path, undefined, { accept });
    expect([unknown.status, unknown.headers["content-type"]], path).toEqual([401, JSON_TYPE]);
  }
  for (const path of ["/healthz", "/openapi.json", "/metrics"]) {
    const { status, headers } = await world.get(path, undefined, { accept });
    expect([status, String(headers["content-type"]).includes("html")], path).toEqual([200, false]);
  }
});

test("HEAD has the headers of GET, and no other method changes the answer", async () => {
  const [accept = ""] = BROWSERS;
  const answers = new Map<string, Answer>();
  for (const method of ["GET", "HEAD", "POST", "OPTIONS"]) {
    const { headers, ...rest } = await world.ask(method, "/nothing", undefined, { accept });
    answers.set(method, { ...rest, headers: { ...headers, date: "" } });
  }
  const get = answers.get("GET");
  expect(get?.body).not.toBe("");
  expect(answers.get("HEAD")).toEqual({ ...get, body: "" });
  expect(answers.get("POST")).toEqual(get);
  expect(answers.get("OPTIONS")).toEqual(get);
});
