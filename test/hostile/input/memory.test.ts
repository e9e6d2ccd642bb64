import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { importStream, repeated } from "./stream.ts";

/** Endless input: the program stops early and uses little memory. */

const MEBIBYTE = 1 << 20;
/** In bytes: the memory that an empty file needs, and room for more. */
const BOUND = 400 * MEBIBYTE;

const LETTERS = gzipSync(Buffer.alloc(64 * MEBIBYTE, "x"));
const SPACES = Buffer.from(`${" ".repeat(1023)}\n`.repeat(1024));
const NEWLINES = Buffer.alloc(MEBIBYTE, "\n");
const BAD = Buffer.from('{"object":"user","id":"","displayName":""}\n'.repeat(20_000));

describe("standard input", () => {
  test("a line of 10 GB is refused after its first mebibyte", async () => {
    const { status, stderr, peak } = await importStream(repeated(Buffer.alloc(MEBIBYTE, "x"), 10_240));
    expect([status, stderr]).toEqual([
      1,
      "standard input:1: the line is longer than 1048576 bytes; reading stopped here\nNothing was changed.\n",
    ]);
    expect(peak).toBeLessThan(BOUND);
  });

  test("a gzip of one line of 10 GB is refused as early", async () => {
    const { status, stderr, peak } = await importStream(repeated(LETTERS, 160));
    expect([status, stderr.split("\n")[0]]).toEqual([
      1,
      "standard input:1: the line is longer than 1048576 bytes; reading stopped here",
    ]);
    expect(peak).toBeLessThan(BOUND);
  });

  test.each([
    ["10 GB of blank lines", NEWLINES, 10_240, MEBIBYTE + 1],
    ["10 GB of lines of spaces", SPACES, 10_240, MEBIBYTE / 1024 + 1],
    ["10 GB of blank lines in 10 MB of gzip", gzipSync(Buffer.alloc(64 * MEBIBYTE, "\n")), 160, MEBIBYTE + 1],
  ])("%s are refused after their first mebibyte", async (_, bytes, count, line) => {
    const { status, stderr, peak } = await importStream(repeated(bytes, count));
    expect([status, stderr]).toEqual([
      1,
      `standard input:${line}: there are more than 1048576 bytes of blank lines in a row; reading stopped here\nNothing was changed.\n`,
    ]);
    expect(peak).toBeLessThan(BOUND);
  });

  test("200,000 lines with the same error are counted and reported once", async () => {
    const { status, stderr, peak } = await importStream(repeated(BAD, 10));
    expect([status, stderr.split("\n").length]).toEqual([1, 3]);
    expect(stderr).toContain("(and in 199999 more lines)");
    expect(peak).toBeLessThan(BOUND);
  });
});
