import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";

/** A new folder for the tests of the calling file or `describe`; it is removed after them. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "rolebook-test-"));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
