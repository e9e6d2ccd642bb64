import { readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { describe, expect, test } from "vitest";
import { linesOf } from "../../src/snapshot/input.ts";
import { temporaryFolder } from "../folder.ts";

describe("a reader that stops at the first lines", () => {
  const folder = temporaryFolder();
  const text = '{"object":"user"}\n'.repeat(3);

  test.each([
    ["a file", Buffer.from(text)],
    ["a gzip file", gzipSync(text)],
  ])("leaves %s closed", async (_, bytes) => {
    const file = join(folder, "lines");
    writeFileSync(file, bytes);
    const before = descriptors();
    for (let times = 0; times < 10; times++) {
      const lines = linesOf(file, () => {});
      expect((await lines.next()).done).toBe(false);
      await lines.return(undefined);
    }
    // The system closes a file soon after it is told to.
    await expect.poll(descriptors).toBeLessThan(before + 5);
  });
});

function descriptors(): number {
  return readdirSync("/dev/fd").length;
}
