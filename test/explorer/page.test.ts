/** How the page and its files are served. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { buildApp } from "../../src/http/app.ts";
import { pageRoutes } from "../../src/http/explorer.ts";
import { serviceOf, sqlitePlace, World } from "../world.ts";

let world: World;
beforeAll(async () => {
  world = await World.open(sqlitePlace);
});
afterAll(() => world.close());

/** A server of nothing but the page that was built into a folder. */
function served(folder: string) {
  return buildApp(serviceOf(world.store), false, pageRoutes({ warn: () => {} }, { folder }));
}

const built = (work: (folder: string) => Promise<void>) => async () => {
  const folder = mkdtempSync(join(tmpdir(), "rolebook-page-"));
  try {
    await work(folder);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
};

test(
  "the page may run only its own script and style and is revalidated; its files may be cached for ever",
  built(async (folder) => {
    mkdirSync(join(folder, "assets"));
    writeFileSync(join(folder, "index.html"), "<p>page");
    writeFileSync(join(folder, "assets", "index-abc.js"), "1");
    const app = served(folder);
    const page = await app.inject("/");
    expect([page.statusCode, page.body]).toEqual([200, "<p>page"]);
    expect(page.headers["cache-control"]).toBe("no-cache");
    expect(page.headers["content-security-policy"]).toMatch(
      /^default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'/,
    );
    const script = await app.inject("/assets/index-abc.js");
    expect(script.headers["cache-control"]).toBe("public, max-age=31536000, immutable");
    expect(script.headers["content-type"]).toBe("text/javascript; charset=utf-8");
    for (const { headers } of [page, script]) {
      expect(headers["x-content-type-options"]).toBe("nosniff");
      expect(headers["referrer-policy"]).toBe("no-referrer");
    }
    const again = await app.inject({ url: "/", headers: { "if-none-match": String(page.headers.etag) } });
    expect([again.statusCode, again.body]).toEqual([304, ""]);
    expect((await app.inject("/assets/../index.html")).statusCode).toBe(404);
    await app.close();
  }),
);

test(
  "if the page was not built, a short one says how to build it",
  built(async (folder) => {
    const app = served(folder);
    const { statusCode, body } = await app.inject("/");
    expect(statusCode).toBe(404);
    expect(body).toContain("npm ci");
    await app.close();
  }),
);
