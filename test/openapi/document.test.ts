/** The document itself: clean, complete, and of the very routes that the server has. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { STATUS } from "../../src/domain/error.ts";
import { openapi } from "../../src/http/openapi/document.ts";
import { operationsOf } from "../../src/http/reference/resolve.ts";
import { OPERATIONS } from "../../src/operations/operations.ts";
import { gitbookOpenapi } from "../parts/clients.ts";
import { lintOpenapi } from "../parts/redocly.ts";
import { PUBLIC_URL, sqlitePlace, World } from "../world.ts";
import { exampleAnswers } from "./example-answers.ts";
import { routesOf } from "./routes.ts";

const document = openapi("1.2.3", PUBLIC_URL);
let world: World;
beforeAll(async () => {
  world = await World.open(sqlitePlace);
});
afterAll(() => world.close());

test("has nothing for the linter to say", async () => {
  const folder = mkdtempSync(join(tmpdir(), "rolebook-openapi-"));
  try {
    const file = join(folder, "openapi.json");
    writeFileSync(file, (await world.get("/openapi.json")).body);
    expect(await lintOpenapi(file)).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test("is served as it is built, to everyone, and may be kept", async () => {
  const { status, headers, body } = await world.get("/openapi.json");
  expect(status).toBe(200);
  expect(JSON.parse(body)).toEqual(JSON.parse(JSON.stringify(openapi("test", PUBLIC_URL))));
  expect(headers["content-type"]).toBe("application/json; charset=utf-8");
  expect(headers["cache-control"]).toBe("public, max-age=300");
  const again = await world.get("/openapi.json", undefined, { "if-none-match": String(headers.etag) });
  expect([again.status, again.body]).toEqual([304, ""]);
});

/** Routes for people, not for clients: the reference, and the explorer's page with its files. */
function isForPeople(route: string): boolean {
  return route === "/docs" || route === "/" || route.startsWith("/s/") || route.startsWith("/assets/");
}

test("has exactly the paths that the server routes", async () => {
  const routes = (await routesOf(world.app)).filter((route) => !isForPeople(route));
  expect(Object.keys(document.paths).sort()).toEqual(routes.sort());
});

test("names operations as the official client does", () => {
  const official = gitbookOpenapi().paths;
  for (const { path, id } of OPERATIONS) {
    expect(official[path.slice("/v1".length)]?.get, path).toMatchObject({ operationId: id });
  }
});

test("describes every parameter, header, answer, schema and field", () => {
  const silent: string[] = [];
  const look = (value: unknown, at: string): void => {
    if (typeof value !== "object" || value === null) return;
    const described = "description" in value && value.description !== "";
    const says = /\/(parameters|headers|responses|schemas|properties|tags|servers)\/[^/]+$/.test(at);
    if (says && !("$ref" in value) && !described) silent.push(at);
    for (const [key, inner] of Object.entries(value))
      if (!/^examples?$/.test(key)) look(inner, `${at}/${key}`);
  };
  look(document, "");
  expect(silent).toEqual([]);
});

test("gives every listing every status of the contract, and no other", () => {
  const wanted = [200, 304, ...Object.values(STATUS)].map(String).sort();
  for (const { path, responses } of operationsOf(document)) {
    if (path.startsWith("/v1/")) expect(responses.map(([status]) => status).sort(), path).toEqual(wanted);
  }
});

test("shows what the program answers for Acme", async () => {
  const file: unknown = JSON.parse(
    readFileSync(new URL("../../src/http/openapi/examples.json", import.meta.url), "utf8"),
  );
  expect(file, "run: node scripts/examples.ts").toEqual(await exampleAnswers());
});
