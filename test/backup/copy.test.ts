/** A backup is consistent and complete, and never replaces another file. */
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { openEngine } from "../../src/store/engine/open.ts";
import { Store } from "../../src/store/store.ts";
import { hashOf } from "../../src/store/tokens.ts";
import { acme } from "../examples/acme.ts";
import { exportedLines } from "../exported.ts";
import { sqlitePlace, World } from "../world.ts";

let world: World;
let path: string;
let file: string;
beforeEach(async () => {
  world = await World.open(sqlitePlace);
  await world.import(acme);
  path = world.store.engine.name.slice("sqlite:".length);
  file = join(dirname(path), "copy.db");
});
afterEach(() => world.close());

test("contains the directory and the tokens, only its owner can read it, and no other file remains", async () => {
  const token = await world.token("acme");
  const parts: number[] = [];
  await world.store.engine.copyTo?.(file, (part) => parts.push(part));
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(dirname(file)).filter((name) => name.startsWith("copy"))).toEqual(["copy.db"]);
  expect(parts.at(-1)).toBe(1);

  const engine = await openEngine(`sqlite:${file}`);
  try {
    const copy = new Store(engine);
    expect(await exportedLines(copy, "acme")).toEqual(await exportedLines(world.store, "acme"));
    expect(await copy.registry.token(hashOf(token))).toMatchObject({ token: { organization: "acme" } });
  } finally {
    await engine.close();
  }
});

test("never overwrites a file", async () => {
  writeFileSync(file, "mine");
  await expect(world.store.engine.copyTo?.(file, () => {})).rejects.toThrow(
    `The file ${file} exists; a backup never overwrites one. Nothing was changed.`,
  );
  expect(readFileSync(file, "utf8")).toBe("mine");
});

test("does not replace a file that appears meanwhile", async () => {
  await expect(world.store.engine.copyTo?.(file, () => writeFileSync(file, "mine"))).rejects.toThrow(
    "exists",
  );
  expect(readFileSync(file, "utf8")).toBe("mine");
  expect(readdirSync(dirname(file)).filter((name) => name.startsWith("copy"))).toEqual(["copy.db"]);
});

test("a damaged copy is not kept", async () => {
  const damage = () => {
    const [partial = ""] = readdirSync(dirname(file)).filter((name) => name.includes("-partial-"));
    const bytes = readFileSync(join(dirname(file), partial));
    bytes.fill(0x55, 3 * 4096, 12 * 4096);
    writeFileSync(join(dirname(file), partial), bytes);
  };
  await expect(
    world.store.engine.copyTo?.(file, (part) => {
      if (part === 1) damage();
    }),
  ).rejects.toThrow(/Nothing was kept\.$/);
  expect(existsSync(file)).toBe(false);
});

test("names the file that it cannot write", async () => {
  const absent = join(dirname(file), "absent", "copy.db");
  await expect(world.store.engine.copyTo?.(absent, () => {})).rejects.toThrow(
    /^The backup .*absent\/copy\.db cannot be written: ENOENT.*Nothing was kept\.$/,
  );
});
