/** Where a server keeps its file of documents, and what it does without one: the same pages, and one line of log. */
import { closeSync, fstatSync, mkdtempSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startServing } from "../backup/serving.ts";
import { MAIN } from "../command.ts";
import { oracle } from "../oracle/oracle.ts";
import type { SnapshotRecord } from "../oracle/records.ts";
import { bytesIn, documentFilesOf } from "../removal/document-files.ts";
import { PUBLIC_URL, World } from "../world.ts";

const MEMBERS = 600;
/** A folder on a disk, and one in memory. */
const DISK = mkdtempSync(new URL("../../dist/documents-", import.meta.url).pathname);
const MEMORY = mkdtempSync("/dev/shm/rolebook-documents-");
/** Less than the documents of all members, and enough for the files that SQLite keeps. */
const SMALL = 40_000;

const PATH = "/v1/spaces/space/permissions/aggregate?limit=1000";
const tokens = new Map<string, string>();
const EXPECTED = oracle(records(), { publicUrl: PUBLIC_URL }).list("o", { endpoint: 3, space: "space" });

beforeAll(async () => {
  for (const folder of [DISK, MEMORY]) {
    const world = await World.open(() =>
      Promise.resolve({ url: databaseIn(folder), dispose: async () => {} }),
    );
    await world.import(records());
    tokens.set(folder, await world.token("o"));
    await world.close();
  }
});
afterAll(() => {
  for (const folder of [DISK, MEMORY]) rmSync(folder, { recursive: true, force: true });
});

function databaseIn(folder: string): string {
  return `sqlite:${join(folder, "rolebook.db")}`;
}

function records(): SnapshotRecord[] {
  const created = "2025-03-01T09:30:00.000Z";
  return [
    { object: "organization", id: "o", title: "Title" },
    {
      object: "space",
      id: "space",
      organization: "o",
      title: "Space",
      createdAt: created,
      updatedAt: created,
    },
    ...Array.from({ length: MEMBERS }, (_, index) => `u${index}`).flatMap((id): SnapshotRecord[] => [
      { object: "user", id, displayName: `Name of ${id}`, email: `${id}@example.com` },
      { object: "member", organization: "o", user: id, role: "read" },
    ]),
  ];
}

interface Served {
  /** The sizes and modes of the files of documents in each folder. */
  readonly onDisk: readonly string[];
  readonly inMemory: readonly string[];
  readonly log: readonly string[];
}

/** Lists the members twice with a new server. `database` is the folder of the database. */
async function served(
  database: string,
  environment: Record<string, string>,
  under: readonly string[] = [],
): Promise<Served> {
  const server = await startServing([...under, process.execPath, MAIN, "serve", "--port", "0"], {
    ROLEBOOK_DATABASE_URL: databaseIn(database),
    ROLEBOOK_PUBLIC_URL: PUBLIC_URL,
    ...environment,
  });
  const start = server.said().length;
  const filesIn = (folder: string) =>
    documentFilesOf(server.child.pid ?? 0, folder).map((file) => {
      const { mode } = fstatSync(file);
      const size = bytesIn(file).length > SMALL ? "documents" : "too short";
      closeSync(file);
      return `${(mode & 0o777).toString(8)} ${size}`;
    });
  const files = { onDisk: [""], inMemory: [""] };
  try {
    for (const query of ["", "&role=read"]) {
      const headers = { authorization: `Bearer ${tokens.get(database)}` };
      const answer = await fetch(`${server.url}${PATH}${query}`, { headers });
      const { items }: { items: unknown } = JSON.parse(await answer.text());
      expect(items).toEqual(EXPECTED);
    }
    for (const folder of [DISK, MEMORY]) {
      expect(readdirSync(folder).filter((name) => !name.startsWith("rolebook.db"))).toEqual([]);
    }
    Object.assign(files, { onDisk: filesIn(DISK), inMemory: filesIn(MEMORY) });
  } finally {
    expect(await server.stop()).toBe(0);
  }
  const lines = server.said().slice(start).trim().split("\n");
  return { ...files, log: lines.filter((line) => line.includes("documents")) };
}

const [NONE, FILE] = [[], ["600 documents"]];

test.each([
  ["beside a database on a disk", DISK, { TMPDIR: MEMORY }, { onDisk: FILE, inMemory: NONE }],
  ["in the folder for temporary files", MEMORY, { TMPDIR: DISK }, { onDisk: FILE, inMemory: NONE }],
  ["nowhere without a disk", MEMORY, { TMPDIR: MEMORY }, { onDisk: NONE, inMemory: NONE }],
  ["in memory if asked", DISK, { ROLEBOOK_DOCUMENTS_FOLDER: MEMORY }, { onDisk: NONE, inMemory: FILE }],
  ["nowhere if off", DISK, { ROLEBOOK_DOCUMENTS_FOLDER: "off" }, { onDisk: NONE, inMemory: NONE }],
] as const)("the file is %s", async (_, database, environment, files) => {
  expect(await served(database, environment)).toEqual({ ...files, log: [] });
});

test("without a folder, and on a full disk, documents come from the database", async () => {
  const missing = { ROLEBOOK_DOCUMENTS_FOLDER: join(DISK, "missing") };
  expect(await served(DISK, missing)).toEqual({
    onDisk: NONE,
    inMemory: NONE,
    log: [
      expect.stringMatching(
        /The file of documents in \S+missing cannot be used: ENOENT: .*Documents come from the database\./,
      ),
    ],
  });
  const full = ["prlimit", `--fsize=${SMALL}`];
  expect(await served(DISK, {}, full)).toEqual({
    onDisk: NONE,
    inMemory: NONE,
    log: [
      expect.stringMatching(
        /The file of documents in \S+ cannot be used: EFBIG: .*Documents come from the database\./,
      ),
    ],
  });
});
