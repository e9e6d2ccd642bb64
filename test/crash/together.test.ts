import { symlinkSync } from "node:fs";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openEngine } from "../../src/store/engine/open.ts";
import { importWhole } from "./killing.ts";
import { Program, rolebook } from "./program.ts";
import { type Ground, leftovers, smallGround, stateOf } from "./states.ts";

/** Imports that start at the same time run one after the other, by whatever path each of them names the database. */

let ground: Ground;
beforeEach(() => {
  ground = smallGround(3);
});
afterEach(() => ground.close());

function run(url: string, file: string) {
  return new Program(["import", "--allow-removals", "--database", url, file]).ended;
}

test("concurrent imports into a missing file, under two names", async () => {
  const [one, two] = ground.states;
  const other = `${ground.folder}/other-name.db`;
  symlinkSync(ground.path, other);
  const ended = await Promise.all([
    run(ground.url, one.file),
    run(`sqlite:${other}`, two.file),
    run(ground.url, two.file),
  ]);
  for (const { status, stderr } of ended)
    expect([
      status,
      stderr.replaceAll(
        /^(?:Ignored \d+ user records: .*|(?:Wrote|The import changes nothing in) sqlite:.*)\n/gm,
        "",
      ),
    ]).toEqual([0, ""]);
  await stateOf(ground);
  expect(await leftovers(ground)).toEqual([]);
});

test("an import under another name waits for the running one, and removes nothing of it", async () => {
  const [one, two] = ground.states;
  await importWhole(ground, one);
  const other = `${ground.folder}/other-name.db`;
  symlinkSync(ground.path, other);
  const engine = await openEngine(ground.url);
  try {
    const args = ["import", "--allow-removals", "--database", `sqlite:${other}`, two.file];
    let second: Program | undefined;
    await engine.importing(
      async () => {
        second = new Program(args);
        const { status, stderr } = await rolebook([...args, "--wait", "1s"]);
        expect([status, stderr]).toEqual([
          1,
          expect.stringMatching(/^Another import or change has been running for 1 s; nothing was changed\./),
        ]);
      },
      () => {},
    );
    expect((await second?.ended)?.status).toBe(0);
  } finally {
    await engine.close();
  }
  expect((await stateOf(ground)).name).toBe(two.name);
});

test("tokens are created and revoked while an import runs", async () => {
  const [one, two] = ground.states;
  await importWhole(ground, one);
  const organization = one.records.find(({ object }) => object === "organization");
  const id = organization !== undefined && "id" in organization ? organization.id : "";
  const importing = new Program(["import", "--allow-removals", "--database", ground.url, two.file]);
  const made = await rolebook([
    "token",
    "create",
    "--organization",
    id,
    "--name",
    "n",
    "--database",
    ground.url,
  ]);
  expect(made.stdout).toMatch(/^rb_\S{43}\n$/);
  const listed = await rolebook(["token", "list", "--database", ground.url]);
  const [, token = ""] = /^(\w+) .* n /m.exec(listed.stdout) ?? [];
  expect((await rolebook(["token", "revoke", token, "--database", ground.url])).status).toBe(0);
  expect((await importing.ended).status).toBe(0);
  expect((await stateOf(ground)).name).toBe(two.name);
});
