import { afterAll, beforeAll, expect, test } from "vitest";
import { type Answer, Line } from "./ask.ts";
import { tryPages } from "./fuzz/made-up.ts";
import { faultIn } from "./shape.ts";
import { type Holder, openTenants, type Tenants } from "./tenants.ts";

/** Page identifiers (docs/api.md): every change of one gets a 400. */

let tenants: Tenants;
let line: Line;
beforeAll(async () => {
  tenants = await openTenants();
  line = new Line(tenants.port);
});
afterAll(async () => {
  line.close();
  await tenants.close();
});

const URL_SAFE = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";
const OTHERS = ["+", "/", "=", ".", "~", "%00", "%0A", "%20", "%C3%A9", "%F0%9F%98%80"];

test("a changed, added or removed character at any position is a 400", async () => {
  const { target, page, holder } = await somePage();
  let tried = 0;
  for (let index = 0; index < page.length; index++) {
    const before = page.slice(0, index);
    const after = page.slice(index + 1);
    const changed = [...URL_SAFE].filter((each) => each !== page[index]).map((each) => before + each + after);
    const inserted = ["A", "_", "%00"].map((each) => before + each + page.slice(index));
    const others = OTHERS.map((each) => before + each + after);
    for (const altered of [...changed, ...others, ...inserted, before + after, before, after]) {
      // Only texts that differ from the identifier must be refused.
      if (altered === page) continue;
      await refused(holder, `${target}&page=${altered}`);
      tried++;
    }
  }
  for (const added of [...URL_SAFE, ...OTHERS]) await refused(holder, `${target}&page=${page}${added}`);
  expect(tried).toBeGreaterThan(70 * page.length);
  expect((await ask(holder, `${target}&page=${page}`)).status).toBe(200);
});

test("swapped characters, another case, and a doubled identifier", async () => {
  const { target, page, holder } = await somePage();
  for (let index = 1; index < page.length; index++) {
    const [one = "", two = ""] = page.slice(index - 1);
    if (one === two) continue;
    await refused(holder, `${target}&page=${page.slice(0, index - 1)}${two}${one}${page.slice(index + 1)}`);
  }
  const other = page.toLowerCase() === page ? page.toUpperCase() : page.toLowerCase();
  for (const altered of [
    other,
    page + page,
    `${page}%00`,
    ` ${page}`.replace(" ", "%20"),
    [...page].toReversed().join(""),
  ])
    await refused(holder, `${target}&page=${altered}`);
});

test("the identifier of the same listing of another organization is refused", async () => {
  const { target, listing } = await somePage();
  const holders = tenants.holders.filter(({ member }) => member === undefined);
  let tried = 0;
  for (const holder of holders) {
    const answer = await ask(holder, target);
    if (answer.status !== 200) continue;
    const { next }: { next?: { page: string } } = JSON.parse(answer.body);
    if (next === undefined) continue;
    for (const other of holders) {
      if (other.tenant.id === holder.tenant.id || (await ask(other, target)).status !== 200) continue;
      await refused(other, `${target}&page=${next.page}`);
      tried++;
    }
  }
  expect(tried, JSON.stringify(listing)).toBeGreaterThan(0);
});

test("a forged identifier reveals nothing more, and never fails", async () => {
  const { asked, pages } = await tryPages(tenants, line);
  expect(asked).toBeGreaterThan(500);
  // The form of these identifiers is valid, so other rules refuse them.
  expect(pages).toBe(asked);
});

/** A listing of several pages with the same path in two organizations, and its second page. */
async function somePage() {
  for (const holder of tenants.holders.filter(({ member }) => member === undefined)) {
    for (const listing of holder.tenant.listings) {
      if (listing.endpoint !== 3 || listing.role !== undefined) continue;
      const target = `${holder.tenant.oracle.path(holder.tenant.id, listing)}?limit=1`;
      const answer = await ask(holder, target);
      const { next }: { next?: { page: string } } = JSON.parse(answer.body);
      if (next === undefined) continue;
      return { target, page: next.page, holder, listing };
    }
  }
  throw new Error("no listing of this tenants has two pages");
}

function ask({ token }: Holder, target: string): Promise<Answer> {
  return line.ask({ method: "GET", target, headers: { authorization: `Bearer ${token}` } });
}

async function refused(holder: Holder, target: string): Promise<void> {
  const answer = await ask(holder, target);
  if (answer.status !== 400) throw new Error(`${target}: ${answer.status} ${answer.body}`);
  expect(faultIn("GET", answer)).toBeUndefined();
}
