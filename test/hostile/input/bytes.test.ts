import { gzipSync } from "node:zlib";
import { mkdirSync } from "node:fs";
import { dirname, join } from "node:path";
import { expect, test } from "vitest";
import { importFiles } from "../../../src/snapshot/import.ts";
import { toLines } from "../../oracle/records.ts";
import { compareAll } from "../../store/listings/listings.ts";
import { ADDED, BASE, useRefusing, Refusing, withLines } from "./refusing.ts";

/** Files with unusual bytes: some are accepted, others are refused with their line. */

const refusing = useRefusing();

const TEXT = toLines(BASE);
const BOM = Buffer.from([0xef, 0xbb, 0xbf]);

test("a BOM, CRLF, blank lines, a last line without its end, and gzip of all that", async () => {
  const crlf = TEXT.replaceAll("\n", "\r\n");
  const members = [TEXT.slice(0, 300), TEXT.slice(300)].map((part) => gzipSync(part));
  for (const bytes of [
    Buffer.concat([BOM, Buffer.from(TEXT)]),
    Buffer.from(crlf),
    Buffer.concat([BOM, Buffer.from(crlf)]),
    Buffer.from(`\n\r\n  \n${TEXT.replaceAll("\n", "\n\n \t\r\n")}\n\n`),
    Buffer.from(TEXT.trimEnd()),
    gzipSync(TEXT),
    gzipSync(Buffer.concat([BOM, Buffer.from(crlf)])),
    Buffer.concat(members),
    gzipSync(TEXT, { level: 0 }),
  ]) {
    const world = await Refusing.accepting(bytes);
    try {
      await compareAll(world, BASE, [1000]);
    } finally {
      await world.close();
    }
  }
});

test("a mebibyte of blank lines between two records, and no more", async () => {
  const blank = "\n".repeat(1 << 20);
  const [first = "", second = "", ...rest] = TEXT.split("\n");
  // Before the first record, and between two; what was blank before a record counts no more after it.
  const between = `\n${blank.slice(1)}`;
  const world = await Refusing.accepting(
    Buffer.from(`${blank}${first}${between}${second}${between}${rest.join("\n")}`),
  );
  await world.close();
  const refused = (text: string) => refusing.current.refusal(text);
  const says = "there are more than 1048576 bytes of blank lines in a row; reading stopped here";
  expect(await refused(`\n${blank}${TEXT}`)).toMatch(`wrong.ndjson:${(1 << 20) + 1}: ${says}`);
  expect(await refused(`${TEXT}\n${blank}`)).toMatch(`: ${says}`);
  expect(await refused(`${first}\n\n${blank}${[second, ...rest].join("\n")}`)).toMatch(
    `wrong.ndjson:${(1 << 20) + 2}: ${says}`,
  );
});

test("a BOM anywhere but at the start, and one in UTF-16", async () => {
  expect(await refusing.current.refusal(`${TEXT}\ufeff{"object":"site"}\n`)).toMatch(
    `wrong.ndjson:${ADDED}: the line is `,
  );
  expect(await refusing.current.refusal(Buffer.from(`\ufeff${TEXT}`, "utf16le"))).toMatch(
    "wrong.ndjson: the file is UTF-16",
  );
  expect(await refusing.current.refusal(Buffer.concat([BOM, BOM, Buffer.from(TEXT)]))).toMatch(
    "wrong.ndjson:1: ",
  );
});

/** The line of a user whose name consists of these bytes. */
function named(hex: string): Buffer {
  const start = '{"object":"user","id":"x","displayName":"';
  return Buffer.concat([Buffer.from(start), Buffer.from(hex, "hex"), Buffer.from('"}\n')]);
}

test("invalid UTF-8 is reported with its line; other lines are still checked", async () => {
  const wrong = ["80", "c3", "c0af", "e08080", "eda080", "f4908080", "f880808080", "ff"];
  for (const hex of wrong) {
    const refusal = await refusing.current.refusal(
      Buffer.concat([Buffer.from(TEXT), named(hex), Buffer.from("{oops\n")]),
    );
    expect(refusal.split("\n"), hex).toEqual([
      `wrong.ndjson:${ADDED}: the line is not UTF-8, but perhaps windows-1252; accepted: UTF-8`,
      `wrong.ndjson:${ADDED + 1}: the line is "{oops"; accepted: one JSON object`,
      "Nothing was changed.",
    ]);
  }
});

test("a truncated or damaged gzip", async () => {
  const whole = gzipSync(
    withLines(
      ...Array.from(
        { length: 2000 },
        (_, index) => `{"object":"user","id":"u${index * 7919}","displayName":"${Math.sin(index)}"}`,
      ),
    ),
  );
  for (const length of [
    2,
    3,
    9,
    10,
    11,
    1000,
    whole.length >> 1,
    whole.length - 9,
    whole.length - 8,
    whole.length - 4,
    whole.length - 1,
  ]) {
    expect(await refusing.current.refusal(whole.subarray(0, length)), `${length} of ${whole.length}`).toMatch(
      /^wrong\.ndjson:\d+: cannot be read further: the gzip data ends too early\nNothing was changed\.$/,
    );
  }
  for (const at of [2, 12, whole.length >> 1, whole.length - 8, whole.length - 4, whole.length - 1]) {
    const damaged = Buffer.from(whole);
    damaged[at] = (damaged[at] ?? 0) ^ 0x55;
    expect(await refusing.current.refusal(damaged), `byte ${at}`).toMatch(/^wrong\.ndjson:\d+: /);
  }
});

test("further gzip members are read; zeros after them, which some tools pad with, are ignored", async () => {
  const [, two] = [TEXT.slice(0, 300), TEXT.slice(300)].map((part) => gzipSync(part));
  if (two === undefined) throw new Error("two members");
  const damaged = Buffer.from(two);
  damaged[1] = 0;
  for (const tail of [
    damaged,
    Buffer.from("x"),
    Buffer.from(TEXT),
    Buffer.from([0x1f]),
    two.subarray(0, 40),
  ]) {
    expect(await refusing.current.refusal(Buffer.concat([gzipSync(TEXT), tail]))).toMatch(
      /^wrong\.ndjson:\d+: cannot be read further: /,
    );
  }
  const world = await Refusing.accepting(Buffer.concat([gzipSync(TEXT), Buffer.alloc(512)]));
  await world.close();
});

test("a line of more than a mebibyte is refused with its number, however the input is chunked", async () => {
  for (const before of [0, 1000, (1 << 20) - 5000]) {
    const first = before === 0 ? "" : `{"object":"user","id":"long","displayName":"${"x".repeat(before)}"}\n`;
    for (const [unit, count] of [
      ["a", (1 << 20) + 1],
      ["é", (1 << 19) + 10],
      ["\u{1f600}", (1 << 18) + 10],
    ] as const) {
      const line = ADDED + (first === "" ? 0 : 1);
      const bytes = `${TEXT}${first}{"object":"user","id":"x","displayName":"${unit.repeat(count)}"}\n${TEXT}`;
      expect(await refusing.current.refusal(bytes), `${before} ${unit}`).toMatch(
        new RegExp(
          `^wrong\\.ndjson:${line}: the line is longer than 1048576 bytes; reading stopped here\nNothing`,
        ),
      );
    }
  }
  const longest = (1 << 20) - Buffer.byteLength('{"object":"user","id":"x","displayName":""}');
  const world = await Refusing.accepting(
    withLines(`{"object":"user","id":"x","displayName":"${"y".repeat(longest)}"}`),
  );
  await world.close();
});

test("missing files, and folders", async () => {
  const { engine } = refusing.current.world.store;
  const folder = join(dirname(refusing.current.world.file("")), "folder");
  mkdirSync(folder, { recursive: true });
  await expect(importFiles(engine, [join(folder, "none")])).rejects.toThrow(
    /none: there is no such file\nNothing was changed\.$/,
  );
  await expect(importFiles(engine, [folder])).rejects.toThrow(
    /folder: it is a folder; accepted: a file\nNothing was changed\.$/,
  );
});
