import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { lintOpenapi } from "./redocly.ts";

test("the linter finds and locates an error, and finds none in a valid document", async () => {
  const folder = await mkdtemp(join(tmpdir(), "rolebook-redocly-"));
  try {
    const file = join(folder, "openapi.json");
    const operation = {
      operationId: "a",
      summary: "A",
      security: [],
      responses: { 200: { description: "a" } },
    };
    const document = {
      openapi: "3.1.0",
      info: { title: "A", version: "1", license: { name: "MIT", url: "https://example.com/" } },
      servers: [{ url: "https://a.example" }],
      paths: { "/a": { get: operation } },
    };
    await writeFile(file, JSON.stringify(document));
    expect(await lintOpenapi(file, ["operation-4xx-response"])).toEqual([]);
    await writeFile(
      file,
      JSON.stringify({ ...document, paths: { "/a": { get: { ...operation, responses: 3 } } } }),
    );
    expect(await lintOpenapi(file)).toContainEqual(
      expect.objectContaining({ rule: "struct", severity: "error", pointer: "#/paths/~1a/get/responses" }),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
