import { expect, test } from "vitest";
import { importFiles } from "../../../src/snapshot/import.ts";
import { openEngine } from "../../../src/store/engine/open.ts";
import { becomeVisible } from "../../../src/store/revisions/publication.ts";
import { Store } from "../../../src/store/store.ts";
import { acme } from "../../examples/acme.ts";
import { type SnapshotRecord, toLines } from "../../oracle/records.ts";
import { type OpenPlace, World } from "../../world.ts";
import { replaced } from "../engine/statements/replaced.ts";
import { AS_GENERATIONS } from "../writing/imports.ts";
import { runDirectly } from "../../directly.ts";

const PAGE = "/v1/orgs/acme/members/ivo/spaces?limit=3";
const OTHER_PAGE = "/v1/orgs/acme/members/ivo/spaces?limit=4";
const LATE = /is committed, but its node does not show it yet/;

/** A node that shows a revision later than the table of revisions names it, as after a lost message of a commit. */
export function exerciseApplied(open: OpenPlace): void {
  for (const [kind, options] of [
    ["a change", { allowRemovals: true }],
    ["a new generation", { ...AS_GENERATIONS }],
  ] as const) {
    test(`${kind} is served when its node shows it, and until then the revision before it`, async () => {
      const world = await World.open(open);
      const { engine } = world.store;
      await world.import(acme);
      const token = await world.token("acme");
      // The fourth answer comes from the caches.
      const [before] = (await times(4, () => seen(world, token))).slice(-1);
      expect(before).toMatchObject({ status: 200, revision: "1" });
      await importFiles(engine, [world.file(toLines(acme.map(retitled)))], options);
      await runDirectly(engine, "UPDATE revision_row SET revision = -2 WHERE revision = 2");
      const other = await another(world);
      for (const each of [world, other]) {
        for (const answer of await times(4, () => seen(each, token))) expect(answer).toEqual(before);
        for (const { revision } of await times(4, () => seen(each, token, OTHER_PAGE))) {
          expect(revision).toBe("1");
        }
        const { status } = await each.get(PAGE, token, { "if-none-match": String(before?.etag) });
        expect(status).toBe(304);
      }
      // Nothing is written on top of rows that are not all there.
      await expect(world.import(acme)).rejects.toThrow(LATE);
      await expect(world.token("acme", "ivo")).rejects.toThrow(LATE);
      await runDirectly(engine, "UPDATE revision_row SET revision = 2 WHERE revision = -2");
      for (const each of [world, other]) {
        for (const { status, revision, body } of await times(4, () => seen(each, token))) {
          expect([status, revision]).toEqual([200, "2"]);
          expect(body).toContain("(retitled)");
        }
        // A page that was cached meanwhile.
        expect(await seen(each, token, OTHER_PAGE)).toMatchObject({ status: 200, revision: "2" });
      }
      await other.close();
      await world.close();
    });
  }

  test("a first revision that its node does not show is a 503", async () => {
    const world = await World.open(open);
    await world.import(acme);
    const token = await world.token("acme");
    await runDirectly(world.store.engine, "DELETE FROM revision_row");
    const other = await another(world);
    const { status, headers } = await other.get(PAGE, token);
    expect([status, headers["retry-after"]]).toEqual([503, "1"]);
    await other.close();
    await world.close();
  });

  test("a command waits until its revision is visible, also while the node answers nothing", async () => {
    const world = await World.open(open);
    await world.import(acme);
    const current = (await world.store.registry.organization("acme"))?.current;
    if (current === undefined) throw new Error("no organization");
    let looks = 0;
    const engine = replaced(world.store.engine, {
      read: async (wanted, ...parameters) => {
        if (++looks === 1) throw new Error("the node is away");
        return looks === 2 ? [] : world.store.engine.read(wanted, ...parameters);
      },
    });
    await becomeVisible(engine, [current]);
    expect(looks).toBe(3);
    await world.close();
  });
}

/** What a client sees of a page, the time of the answer excepted. */
async function seen(world: World, token: string, page = PAGE) {
  const { status, headers, body } = await world.get(page, token);
  const { etag, "x-rolebook-revision": revision, "last-modified": modified } = headers;
  return { status, body, etag, revision, modified };
}

function retitled(record: SnapshotRecord): SnapshotRecord {
  return record.object === "space" ? { ...record, title: `${record.title} (retitled)` } : record;
}

/** Another server on the same database. */
async function another({ url }: World): Promise<World> {
  return new World({ url, dispose: async () => {} }, new Store(await openEngine(url), 8 << 20), {});
}

async function times<T>(count: number, work: () => Promise<T>): Promise<T[]> {
  const done: T[] = [];
  for (let index = 0; index < count; index++) done.push(await work());
  return done;
}
