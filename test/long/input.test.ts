import { gzipSync } from "node:zlib";
import { expect, test } from "vitest";
import { importStream, repeated, type Streamed } from "../hostile/input/stream.ts";
import { writeReliability } from "../../bench/harness/result.ts";

/** The peak memory of an import of endless input. */

const MEBIBYTE = 1 << 20;
const BOUND = 450 * MEBIBYTE;
const figures: Record<string, string> = {};

function kept(what: string, { peak, milliseconds }: Streamed): void {
  expect(peak).toBeLessThan(BOUND);
  figures[what] = `${Math.round(peak / MEBIBYTE)} MiB, ${(milliseconds / 1000).toFixed(1)} s`;
  writeReliability("Hostile snapshot files", figures);
}

test("a line of 10 GB, plain and packed", async () => {
  const plain = await importStream(repeated(Buffer.alloc(MEBIBYTE, "x"), 10_240));
  expect(plain.stderr).toContain("the line is longer than 1048576 bytes; reading stopped here");
  kept("a line of 10 GB", plain);
  const packed = await importStream(repeated(gzipSync(Buffer.alloc(64 * MEBIBYTE, "x")), 160));
  expect(packed.stderr).toContain("the line is longer than 1048576 bytes; reading stopped here");
  kept("10 GB of one line in 10 MB of gzip", packed);
});

test("2,000,000 wrong lines", async () => {
  const wrong = Buffer.from('{"object":"user","id":"","displayName":""}\n'.repeat(20_000));
  const ended = await importStream(repeated(wrong, 100));
  expect(ended.stderr).toContain("(and in 1999999 more lines)");
  kept("2,000,000 wrong lines", ended);
});

test("1,000 wrong lines of a mebibyte", async () => {
  const start = '{"object":"user","id":"u","displayName":"';
  const line = Buffer.from(`${start}${"x".repeat(MEBIBYTE - start.length - 10)}","y":1}\n`);
  const ended = await importStream(repeated(line, 1000));
  expect(ended.stderr).toContain("(and in 999 more lines)");
  kept("1,000 wrong lines of a mebibyte", ended);
});
