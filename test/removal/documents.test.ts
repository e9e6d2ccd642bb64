/** The file of documents of a running server: nothing of a forgotten person or a removed organization stays in it. */
import { closeSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { contentKey } from "../../src/domain/content.ts";
import { accessOnContent } from "../../src/store/listings/subject.ts";
import { sentPage } from "../../src/store/listings/walk.ts";
import { Documents } from "../../src/store/memory/documents.ts";
import { forgetUser } from "../../src/store/revisions/forget.ts";
import { Store } from "../../src/store/store.ts";
import { openEngine } from "../../src/store/engine/open.ts";
import { type Serving, startServing } from "../backup/serving.ts";
import { MAIN } from "../command.ts";
import type { SnapshotRecord } from "../oracle/records.ts";
import { replaced } from "../store/engine/statements/replaced.ts";
import { PUBLIC_URL, sqlitePlace, World } from "../world.ts";
import { bytesIn, documentFilesOf } from "./document-files.ts";
import { run } from "./removed.ts";

const MEMBERS = 40;
/** In the documents of the person who is forgotten, of the organization that is removed, and of one that stays. */
const [LIMA, GONE, STAYS] = ["lima@person.example", "@gone.example", "@stays.example"];

let folder: string;
const opened: number[] = [];

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rolebook-documents-"));
});
afterEach(() => {
  for (const each of opened.splice(0)) closeSync(each);
  rmSync(folder, { recursive: true, force: true });
});

function records(organization: string, domain: string, persons: readonly string[]): SnapshotRecord[] {
  const others = Array.from({ length: MEMBERS }, (_, index) => `u${index}`);
  return [
    { object: "organization", id: organization, title: "Title" },
    {
      object: "space",
      id: "space",
      organization,
      title: "Space",
      createdAt: "2025-03-01T09:30:00.000Z",
      updatedAt: "2025-03-01T09:30:00.000Z",
    },
    ...[...others, ...persons].flatMap((id): SnapshotRecord[] => [
      { object: "user", id, displayName: "Name", email: persons.includes(id) ? LIMA : `${id}${domain}` },
      { object: "member", organization, user: id, role: "read" },
    ]),
  ];
}

function filesOf(process: number | "self"): number[] {
  const files = documentFilesOf(process, folder);
  opened.push(...files);
  return files;
}

function hasText(file: number, text: string): boolean {
  return bytesIn(file).includes(text);
}

function isZero(files: readonly number[]): boolean {
  return files.every((file) => bytesIn(file).every((byte) => byte === 0));
}

test("servers that nobody asks overwrite a forgotten person and a removed organization", async () => {
  const url = `sqlite:${join(folder, "rolebook.db")}`;
  const world = await World.open(() => Promise.resolve({ url, dispose: async () => {} }));
  await world.import(records("stays", STAYS, ["lima"]));
  const before = await world.store.registry.organization("stays");
  await world.import(records("stays", STAYS, []));
  await world.import(records("gone", GONE, []));
  const tokens = { stays: await world.token("stays"), gone: await world.token("gone") };
  await world.close();
  const servers: Serving[] = [];
  try {
    for (let count = 0; count < 2; count++) {
      const environment = { ROLEBOOK_DATABASE_URL: url, ROLEBOOK_DOCUMENTS_FOLDER: folder };
      servers.push(await startServing([process.execPath, MAIN, "serve", "--port", "0"], environment));
    }
    const past = `/at/${before?.current.revision}/v1/spaces/space/permissions/aggregate`;
    const ask = async (path: string, token: string) => {
      const texts = servers.map(async (server) => {
        const answer = await fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } });
        return `${answer.status} ${await answer.text()}`;
      });
      return Promise.all(texts);
    };
    const files = () => servers.flatMap(({ child }) => filesOf(child.pid ?? 0));
    const pages = async () => [
      ...(await ask(past, tokens.stays)),
      ...(await ask("/v1/spaces/space/permissions/aggregate", tokens.stays)),
    ];

    expect((await pages()).filter((text) => text.includes(LIMA))).toHaveLength(2);
    const first = files();
    expect(first.map((file) => hasText(file, LIMA))).toEqual([true, true]);
    const lengths = first.map((file) => bytesIn(file).length);
    await run(url, "organization", "forget-user", "--organization", "stays", "lima");
    await expect.poll(() => isZero(first)).toBe(true);
    expect(first.map((file) => bytesIn(file).length)).toEqual(lengths);

    const after = await pages();
    expect(after.filter((text) => text.startsWith("200 ") && !text.includes(LIMA))).toHaveLength(4);
    expect((await ask("/v1/spaces/space/permissions/aggregate", tokens.gone)).join()).toContain(GONE);
    const second = files();
    expect(second.map((file) => [LIMA, GONE, STAYS].map((text) => hasText(file, text)))).toEqual([
      [false, true, true],
      [false, true, true],
    ]);
    await run(url, "organization", "remove", "gone", "--yes");
    await expect.poll(() => isZero(second)).toBe(true);
    expect((await pages()).filter((text) => text.startsWith("200 "))).toHaveLength(4);
    expect(files().map((file) => [hasText(file, GONE), hasText(file, STAYS)])).toEqual([
      [false, true],
      [false, true],
    ]);
  } finally {
    for (const server of servers) expect(await server.stop()).toBe(0);
  }
});

test("documents that were read before a person was forgotten are not written after that", async () => {
  const place = await sqlitePlace();
  const engine = await openEngine(place.url);
  const held = Promise.withResolvers<void>();
  const hasRead = Promise.withResolvers<void>();
  let isHolding = false;
  const read: typeof engine.read = async (wanted, ...parameters) => {
    const rows = await engine.read(wanted, ...parameters);
    if (isHolding && JSON.stringify(rows).includes(LIMA)) {
      hasRead.resolve();
      await held.promise;
    }
    return rows;
  };
  const world = new World(place, new Store(replaced(engine, { read })), {});
  const { store } = world;
  const documents = new Documents(folder);
  try {
    await world.import(records("stays", STAYS, ["lima"]));
    const before = await store.registry.organization("stays");
    await world.import(records("stays", STAYS, []));
    if (before === undefined) throw new Error("The organization is missing.");
    const page = async () => {
      const reading = store.reading(before.current);
      const access = await accessOnContent(reading, contentKey("space", "space"));
      if (access === undefined) throw new Error("The space is missing.");
      return sentPage(
        reading,
        access,
        { after: undefined, limit: 100 },
        { documents, publicUrl: PUBLIC_URL },
      );
    };
    isHolding = true;
    const early = page();
    await hasRead.promise;
    isHolding = false;
    await forgetUser(store.engine, "stays", "lima", () => {});
    await documents.forget(store.engine);
    held.resolve();
    expect((await early).entries).toHaveLength(MEMBERS + 1);
    expect(filesOf("self").map((file) => [hasText(file, LIMA), hasText(file, STAYS)])).toEqual([
      [false, true],
    ]);
    const { entries } = await page();
    expect(entries.filter(({ document }) => document.begin.includes(LIMA))).toEqual([]);
  } finally {
    documents.replace();
    await world.close();
  }
});
