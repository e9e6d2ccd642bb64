import { readdirSync } from "node:fs";
import { join } from "node:path";

export const ROOT = new URL("../../../", import.meta.url).pathname;

/** The paths of all documents, from the root of the repository. */
export const DOCUMENTS: readonly string[] = [
  ...readdirSync(ROOT).filter((name) => name.endsWith(".md")),
  ...readdirSync(join(ROOT, "docs"), { recursive: true, encoding: "utf8" })
    .filter((name) => name.endsWith(".md"))
    .map((name) => `docs/${name}`),
];
