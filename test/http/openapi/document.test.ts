/** The document passes the linter, is complete, and has exactly the server's routes. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { REVIEW_PATH, SIGN_IN_PATHS } from "../../../src/explorer/wire/protocol.ts";
import { STATUS } from "../../../src/domain/error.ts";
import { explorerOpenapi, openapi } from "../../../src/http/openapi/document.ts";
import { operationsOf } from "../../../src/http/openapi/reference.ts";
import { OPERATIONS } from "../../../src/operations/operations.ts";
import { THINGS } from "../../../src/operations/things.ts";
import { gitbookOpenapi } from "../../parts/clients.ts";
import { lintOpenapi } from "../../parts/redocly.ts";
import { PUBLIC_URL, sqlitePlace, World } from "../../world.ts";
import { routesOf } from "./routes.ts";

const document = openapi("1.2.3", PUBLIC_URL);
let world: World;
beforeAll(async () => {
  world = await World.open(sqlitePlace);
});
afterAll(() => world.close());

/** The paths of the OpenAPI documents. */
const SERVED = [
  ["/openapi.json", openapi("test", PUBLIC_URL)],
  ["/explorer/openapi.json", explorerOpenapi("test", PUBLIC_URL)],
] as const;

test.each(SERVED)("%s passes the linter", async (path) => {
  const folder = mkdtempSync(join(tmpdir(), "rolebook-openapi-"));
  try {
    const file = join(folder, "openapi.json");
    writeFileSync(file, (await world.get(path)).body);
    // Signing in answers with redirects only.
    const redirecting = Object.values(SIGN_IN_PATHS).map((each) => each.replaceAll("/", "~1"));
    const found = (await lintOpenapi(file)).filter(
      ({ rule, pointer }) =>
        rule !== "operation-2xx-response" ||
        !redirecting.some((each) => pointer.startsWith(`#/paths/${each}/`)),
    );
    expect(found).toEqual([]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test.each(SERVED)("%s is served as built, to everyone, and may be cached", async (path, built) => {
  const { status, headers, body } = await world.get(path);
  expect(status).toBe(200);
  expect(JSON.parse(body)).toEqual(JSON.parse(JSON.stringify(built)));
  expect(headers["content-type"]).toBe("application/json; charset=utf-8");
  expect(headers["cache-control"]).toBe("public, max-age=300");
  const again = await world.get(path, undefined, { "if-none-match": String(headers.etag) });
  expect([again.status, again.body]).toEqual([304, ""]);
});

test("the endpoints are one document, the page's requests another, and none is missing", async () => {
  const routes = await routesOf(world.app);
  const below = (prefix: string) => routes.filter((route) => route.startsWith(prefix)).sort();
  const declared = [...OPERATIONS, ...THINGS].map(({ path }) => path);
  expect(Object.keys(document.paths)).toEqual([...declared, "/export"]);
  const served = [...below("/export"), ...below("/v1/")];
  expect(served).toEqual(Object.keys(document.paths).sort());
  expect(below("/at/")).toEqual(served.map((path) => `/at/{when}${path}`));
  const asked = below("/explorer/").filter((route) => route !== "/explorer/openapi.json");
  expect(Object.keys(explorerOpenapi("1.2.3", PUBLIC_URL).paths).sort()).toEqual(
    [...asked, REVIEW_PATH, ...Object.values(SIGN_IN_PATHS)].sort(),
  );
});

test("has the operation names of the official client", () => {
  const official = { ...gitbookOpenapi("newest").paths, ...gitbookOpenapi().paths };
  for (const { path, id } of [...OPERATIONS, ...THINGS]) {
    expect(official[path.slice("/v1".length)]?.get, path).toMatchObject({ operationId: id });
  }
});

test.each(SERVED)("%s describes every parameter, header, answer, schema and field", (_, built) => {
  const silent: string[] = [];
  const look = (value: unknown, at: string): void => {
    if (typeof value !== "object" || value === null) return;
    const described = "description" in value && value.description !== "";
    const says = /\/(parameters|headers|responses|schemas|properties|tags|servers)\/[^/]+$/.test(at);
    if (says && !("$ref" in value) && !described) silent.push(at);
    for (const [key, inner] of Object.entries(value))
      if (!/^examples?$/.test(key)) look(inner, `${at}/${key}`);
  };
  look(built, "");
  expect(silent).toEqual([]);
});

test("gives every listing every documented status, and no other", () => {
  // A listing has no body to refuse.
  const { contentTooLarge: _, unsupportedMediaType: __, ...refused } = STATUS;
  for (const { path, responses } of operationsOf(document)) {
    const unchanged = path === "/export" ? [] : [304];
    const wanted = [200, ...unchanged, ...Object.values(refused)].map(String).sort();
    expect(responses.map(([status]) => status).sort(), path).toEqual(wanted);
  }
});
