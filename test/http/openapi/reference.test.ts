/** The reference page is complete, needs nothing from other hosts, and is accessible. */
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { openapi } from "../../../src/http/openapi/document.ts";
import { findBarriers } from "../../parts/axe.ts";
import { type BrowserContextOptions, newContext, type Page } from "../../parts/browser.ts";
import { PUBLIC_URL, sqlitePlace, World } from "../../world.ts";

const document = openapi("test", PUBLIC_URL);
let world: World;
let address: string;
beforeAll(async () => {
  world = await World.open(sqlitePlace);
  await world.app.listen({ host: "127.0.0.1", port: 0 });
  address = `http://127.0.0.1:${world.app.addresses()[0]?.port}/docs`;
});
afterAll(() => world.close());

async function newPage(options?: BrowserContextOptions): Promise<Page> {
  const context = await newContext(options);
  onTestFinished(() => context.close());
  return context.newPage();
}

test("has a policy that allows only its own style", async () => {
  const { status, headers } = await world.get("/docs");
  expect(status).toBe(200);
  expect(headers["content-type"]).toBe("text/html; charset=utf-8");
  expect(headers["content-security-policy"]).toMatch(
    /^default-src 'none'; style-src 'sha256-[\w+/]+='; base-uri 'none'; form-action 'none'; frame-ancestors 'none'$/,
  );
  expect(headers["cache-control"]).toBe("public, max-age=300");
  const again = await world.get("/docs", undefined, { "if-none-match": String(headers.etag) });
  expect([again.status, again.body]).toEqual([304, ""]);
});

test("has everything that the document has", async () => {
  const page = await newPage();
  await page.goto(address);
  const text = ((await page.textContent("body")) ?? "").replaceAll(/\s+/g, " ");
  const missing: string[] = [];
  const look = (value: unknown): void => {
    if (typeof value !== "object" || value === null) return;
    for (const [key, inner] of Object.entries(value)) {
      if (key === "example") continue;
      if ((key === "description" || key === "summary") && typeof inner === "string") {
        for (const paragraph of inner.replaceAll("`", "").split("\n\n")) {
          if (!text.includes(paragraph)) missing.push(paragraph);
        }
      } else look(inner);
    }
  };
  const { schemas, parameters, headers, responses } = document.components;
  look([document.info, document.tags, schemas, parameters, headers]);
  for (const { get } of Object.values(document.paths))
    look([{ summary: get.summary, description: get.description }]);
  look(Object.values(responses));
  expect(missing).toEqual([]);
  for (const name of [...Object.keys(document.paths), ...Object.keys(headers)]) expect(text).toContain(name);
});

test.each([
  { width: 1280, scheme: "light", paper: "rgb(255, 255, 255)" },
  { width: 400, scheme: "dark", paper: "rgb(20, 21, 23)" },
] as const)("is accessible, cuts nothing off and requests nothing: $width px, $scheme", async (look) => {
  const { width, scheme, paper } = look;
  const page = await newPage({ viewport: { width, height: 900 }, colorScheme: scheme });
  const heard: string[] = [];
  page.on("console", (message) => heard.push(message.text()));
  page.on("pageerror", (error) => heard.push(error.message));
  page.on("request", (request) => heard.push(request.url()));
  await page.goto(address);
  expect(heard).toEqual([address]);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(width);
  expect(await page.evaluate("getComputedStyle(document.body).backgroundColor")).toBe(paper);
  expect(await findBarriers(page)).toEqual([]);
});

test("every link inside leads somewhere", async () => {
  const page = await newPage();
  await page.goto(address);
  const links = await page
    .locator("a[href^='#']")
    .evaluateAll((all) => all.map((each) => each.getAttribute("href")));
  const ids = await page.locator("[id]").evaluateAll((all) => all.map((each) => `#${each.id}`));
  expect(new Set(ids).size).toBe(ids.length);
  expect(links.filter((link) => !ids.includes(link ?? ""))).toEqual([]);
  expect(await page.locator("a[href='openapi.json']").count()).toBe(1);
});

test("a hostile public URL stays text", async () => {
  const { referencePage } = await import("../../../src/http/openapi/reference.ts");
  const page = referencePage(openapi("1", 'https://docs.example/<script>alert("x")</script>'));
  expect(page).not.toContain("<script");
  expect(page).toContain("&lt;script&gt;");
});
