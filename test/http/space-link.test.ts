/** `/s/ID`, which answers link to, leads every caller to the explorer's view of a space. */
import { afterAll, beforeAll, expect, test } from "vitest";
import { acme } from "../examples/acme.ts";
import { type Answer, ownPlace, PUBLIC_URL, World } from "../world.ts";

let world: World;
beforeAll(async () => {
  world = await World.open(ownPlace);
  await world.import(acme);
});
afterAll(() => world.close());

/** An answer with an empty `date` header. */
function timeless({ status, headers, body }: Answer): object {
  return { status, headers: { ...headers, date: "" }, body };
}

test("every link to a space in an answer leads to the explorer, also below a path prefix", async () => {
  const token = await world.token("acme");
  const spaces = await world.walk("/v1/orgs/acme/members/ivo/spaces", token);
  expect(spaces.length).toBeGreaterThan(10);
  for (const { space } of JSON.parse(JSON.stringify(spaces))) {
    const app = new URL(space.urls.app);
    if (!app.href.startsWith(PUBLIC_URL)) continue; // the directory's own
    // A proxy removes the path prefix of the public URL; the client follows the redirect with the prefix.
    const { status, headers } = await world.get(app.href.slice(PUBLIC_URL.length));
    expect([status, new URL(String(headers.location), app).href]).toEqual([
      302,
      `${PUBLIC_URL}/?space=${space.id}`,
    ]);
  }
});

test("the answer does not depend on the space, its organization or the caller", async () => {
  const there = await world.get("/s/salaries");
  expect(there.headers.location).toBe("../?space=salaries");
  for (const id of ["a", "0", "_-_", "x".repeat(128)]) {
    const { status, headers, body } = await world.get(`/s/${id}`, await world.token("acme"));
    expect([status, headers.location, body]).toEqual([302, `../?space=${id}`, ""]);
    expect(Object.keys(headers)).toEqual(Object.keys(there.headers));
  }
  expect((await world.get("/s/%73alaries?next=//evil.example")).headers.location).toBe("../?space=salaries");
});

test.each([
  "/s/",
  "/s",
  "/s//evil.example",
  "//evil.example",
  "/s/%2F%2Fevil.example",
  "/s/%2f%2fevil.example",
  "/s/..%2F..%2F",
  "/s/..",
  "/s/.",
  "/s/%2e%2e",
  "/s/\\\\evil.example",
  "/s/%5C%5Cevil.example",
  "/s/a%0d%0aSet-Cookie:%20a=b",
  "/s/a%0a",
  "/s/%00",
  "/s/a/b",
  "/s/a/",
  "/s/a%26site=b",
  "/s/https:%2F%2Fevil.example",
  "/s/https://evil.example",
  "/s/evil.example",
  "/s/javascript:alert(1)",
  "/s/%3Cscript%3E",
  "/s/%C3%A9",
  "/s/%zz",
  "/s/%",
  `/s/${"x".repeat(129)}`,
  `/s/${"x".repeat(5000)}`,
  "/S/salaries",
  "/%2Fs/salaries",
])("%s is the same 404 as any missing path", async (path) => {
  expect(timeless(await world.get(path))).toEqual(timeless(await world.get("/nothing")));
});
