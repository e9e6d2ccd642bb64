/** The output file of a connector is either complete and private to its owner, or does not exist. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { constants } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { writeSnapshot } from "../../src/snapshot/output.ts";
import type { SnapshotRecord } from "../../src/snapshot/records.ts";
import { temporaryFolder } from "../folder.ts";

const folder = temporaryFolder();

const acme: SnapshotRecord = { object: "organization", id: "acme", title: "Acme" };
const never = () => {
  throw new Error("nothing goes to standard output");
};

test("a file is complete, ends with its end record, and only its owner can read it", async () => {
  const file = join(folder, "new.ndjson");
  await writeSnapshot([acme], file, never);
  expect(readFileSync(file, "utf8")).toBe(
    '{"object":"organization","id":"acme","title":"Acme"}\n{"object":"end","records":1}\n',
  );
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test("standard output gets the same in pieces", async () => {
  const pieces: string[] = [];
  const many = Array.from({ length: 3000 }, () => acme);
  await writeSnapshot(many, undefined, async (piece) => void pieces.push(piece));
  expect(pieces.length).toBeGreaterThan(1);
  expect(pieces.join("").split("\n").at(-2)).toBe('{"object":"end","records":3000}');
});

test.each([
  ["a source that dies", dying(), "the source died"],
  ["a record that no import takes", [acme, user("\uD800")], 'user.id is "\\ud800"; accepted: 1 to 255'],
])("%s leaves the file unchanged, and no other file", async (_, records, message) => {
  const place = mkdtempSync(join(folder, "kept-"));
  const file = join(place, "old.ndjson");
  writeFileSync(file, "what was there");
  await expect(writeSnapshot(records, file, never)).rejects.toThrow(message);
  expect(readdirSync(place)).toEqual(["old.ndjson"]);
  expect(readFileSync(file, "utf8")).toBe("what was there");
});

test("a missing folder is named", async () => {
  const file = join(folder, "nowhere", "new.ndjson");
  await expect(writeSnapshot([acme], file, never)).rejects.toThrow(
    `${file} cannot be written: its folder does not exist.`,
  );
});

test.each(["SIGTERM", "SIGINT", "SIGHUP"] as const)("stopped by %s, it leaves nothing", async (signal) => {
  const place = mkdtempSync(join(folder, "stopped-"));
  const source = `
    import { whole } from ${JSON.stringify(new URL("../../src/snapshot/output.ts", import.meta.url).href)};
    await whole(${JSON.stringify(join(place, "new.ndjson"))}, async (write) => {
      write("half");
      console.log("begun");
      setInterval(() => {}, 1_000_000);
      await new Promise(() => {});
    });`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", source]);
  const ended = once(child, "exit");
  await once(child.stdout, "data");
  expect(readdirSync(place)).toHaveLength(1);
  child.kill(signal);
  expect(await ended).toEqual([128 + constants.signals[signal], null]);
  expect(readdirSync(place)).toEqual([]);
});

function user(id: string): SnapshotRecord {
  return { object: "user", id, displayName: "Ana" };
}

async function* dying(): AsyncGenerator<SnapshotRecord> {
  yield acme;
  throw new Error("the source died");
}
