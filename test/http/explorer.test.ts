/** How the page and its files are served. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync, gzipSync } from "node:zlib";
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
  "the build's compressed script is sent to whoever accepts gzip, and the script itself to others",
  built(async (folder) => {
    mkdirSync(join(folder, "assets"));
    writeFileSync(join(folder, "index.html"), "<p>page");
    writeFileSync(join(folder, "assets", "index-abc.js"), "let a = 1;");
    writeFileSync(join(folder, "assets", "index-abc.js.gz"), gzipSync("let a = 1;"));
    const app = served(folder);
    const url = "/assets/index-abc.js";
    const ask = (accepted?: string, more: Record<string, string> = {}) =>
      app.inject({
        url,
        headers: { ...(accepted !== undefined && { "accept-encoding": accepted }), ...more },
      });
    const etags = new Set<string>();
    for (const accepted of ["gzip", "br, GZIP;q=0.5", "*", "deflate, x-gzip"]) {
      const { headers, rawPayload } = await ask(accepted);
      expect([headers["content-encoding"], headers.vary], accepted).toEqual(["gzip", "Accept-Encoding"]);
      expect(headers["content-length"]).toBe(String(rawPayload.length));
      expect(gunzipSync(rawPayload).toString()).toBe("let a = 1;");
      etags.add(String(headers.etag));
    }
    expect(etags.size).toBe(1);
    for (const accepted of [
      undefined,
      "",
      "br",
      "gzip;q=0",
      "*;q=0",
      "*, gzip; q=0.0",
      "identity",
      "gzip;q=no",
    ]) {
      const { headers, body } = await ask(accepted);
      expect([headers["content-encoding"], headers.vary, body], accepted).toEqual([
        undefined,
        "Accept-Encoding",
        "let a = 1;",
      ]);
      etags.add(String(headers.etag));
    }
    // The bytes differ, so a cache must not take one for the other.
    expect(etags.size).toBe(2);
    for (const [accepted, etag] of [
      ["gzip", [...etags][0]],
      ["", [...etags][1]],
    ] as const) {
      expect((await ask(accepted, { "if-none-match": String(etag) })).statusCode).toBe(304);
    }
    expect((await ask("", { "if-none-match": String([...etags][0]) })).statusCode).toBe(200);
    expect((await app.inject("/assets/index-abc.js.gz")).statusCode).toBe(404);
    expect((await app.inject("/")).headers.vary).toBeUndefined();
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
