/** `rolebook organization remove` on PostgreSQL: what docs/past.md and SECURITY.md promise there. */
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { textOf } from "../examples/acme.ts";
import { fencedUnder } from "../docs/reading/fence.ts";
import { GENERATION_TABLES } from "../../src/store/schema/tables.ts";
import { type PostgresServer, startPostgres } from "../postgres/server/server.ts";
import { tracesIn, GONE, importBoth, run } from "./removed.ts";

const folder = mkdtempSync(join(tmpdir(), "rolebook-removal-"));
let server: PostgresServer;
beforeAll(async () => {
  server = await startPostgres();
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});

/** How often something of the organization is in the files of tables. */
function traces(): number {
  const base = join(server.data, "base");
  const files = readdirSync(base, { recursive: true, encoding: "utf8" }).filter((name) =>
    /\/\d[\d._]*$/.test(name),
  );
  return tracesIn(...files.map((name) => join(base, name)));
}

test("no row stays, and VACUUM as documented overwrites what PostgreSQL still stores", async () => {
  const url = server.url();
  await run(url, "database", "migrate");
  await importBoth(url, folder);
  const exported = await run(url, "export", "--organization", "acme");
  const { stderr } = await run(url, "organization", "remove", GONE, "--yes");
  expect(stderr).toMatch(
    /^Removed organization bench and its tokens from \S+: [\d,]+ rows\.\nNot erased: [^\n]*; deleted rows that PostgreSQL still stores, see docs\/past\.md\.\n$/,
  );
  const rows = async (sql: string) => (await server.query<{ n: string }>(sql)).map(({ n }) => n);
  expect(await rows("SELECT DISTINCT organization AS n FROM generation")).toEqual(["acme"]);
  const [kept] = await rows("SELECT generation AS n FROM generation");
  for (const table of GENERATION_TABLES) {
    const others = await rows(`SELECT count(*) AS n FROM ${table} WHERE generation <> ${kept}`);
    expect([table, others]).toEqual([table, ["0"]]);
  }
  expect(await rows("SELECT name AS n FROM counter WHERE name LIKE 'removal%'")).toEqual([]);
  await server.query("CHECKPOINT");
  expect(traces()).toBeGreaterThan(0);
  const [statements = ""] = fencedUnder(textOf("docs/past.md"), "Forgetting a person", "sql");
  for (const each of statements.split("\n").filter((line) => line !== "")) await server.query(each);
  await server.query("CHECKPOINT");
  expect(traces()).toBe(0);
  expect((await run(url, "export", "--organization", "acme")).stdout).toBe(exported.stdout);
  await run(url, "verify");
});
