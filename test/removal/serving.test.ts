/** What running servers have in memory: nothing of a forgotten person or a removed organization is sent any more. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Serving, startServing } from "../backup/serving.ts";
import { MAIN } from "../command.ts";
import type { SnapshotRecord } from "../oracle/records.ts";
import { World } from "../world.ts";
import { run } from "./removed.ts";

const MEMBERS = 40;
const LIMA = "lima@person.example";

let folder: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "rolebook-serving-"));
});
afterEach(() => {
  rmSync(folder, { recursive: true, force: true });
});

function records(organization: string, persons: readonly string[]): SnapshotRecord[] {
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
      { object: "user", id, displayName: "Name", email: persons.includes(id) ? LIMA : `${id}@o.example` },
      { object: "member", organization, user: id, role: "read" },
    ]),
  ];
}

test("servers that have sent a person and an organization send nothing of them when they are gone", async () => {
  const url = `sqlite:${join(folder, "rolebook.db")}`;
  const world = await World.open(() => Promise.resolve({ url, dispose: async () => {} }));
  await world.import(records("stays", ["lima"]));
  const before = await world.store.registry.organization("stays");
  await world.import(records("stays", []));
  await world.import(records("gone", []));
  const tokens = { stays: await world.token("stays"), gone: await world.token("gone") };
  await world.close();
  const servers: Serving[] = [];
  try {
    for (let count = 0; count < 2; count++) {
      servers.push(
        await startServing([process.execPath, MAIN, "serve", "--port", "0"], { ROLEBOOK_DATABASE_URL: url }),
      );
    }
    const now = "/v1/spaces/space/permissions/aggregate";
    const past = `/at/${before?.current.revision}${now}`;
    const ask = async (path: string, token: string) => {
      const texts = servers.map(async (server) => {
        const answer = await fetch(server.url + path, { headers: { authorization: `Bearer ${token}` } });
        return `${answer.status} ${await answer.text()}`;
      });
      return Promise.all(texts);
    };
    const pages = async () => [...(await ask(past, tokens.stays)), ...(await ask(now, tokens.stays))];

    // Asked twice: the second answer comes from the cache.
    for (let time = 0; time < 2; time++)
      expect((await pages()).filter((text) => text.includes(LIMA))).toHaveLength(2);
    await run(url, "organization", "forget-user", "--organization", "stays", "lima");
    const after = await pages();
    expect(after.filter((text) => text.startsWith("200 ") && !text.includes(LIMA))).toHaveLength(4);

    expect((await ask(now, tokens.gone)).filter((text) => text.startsWith("200 "))).toHaveLength(2);
    await run(url, "organization", "remove", "gone", "--yes");
    expect((await ask(now, tokens.gone)).filter((text) => text.startsWith("401 "))).toHaveLength(2);
    expect((await pages()).filter((text) => text.startsWith("200 "))).toHaveLength(4);
  } finally {
    for (const server of servers) expect(await server.stop()).toBe(0);
  }
});
