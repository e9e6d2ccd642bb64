import { readFileSync } from "node:fs";

/** The program's version, from its package.json. */
export function versionOf(): string {
  const file: unknown = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));
  const version = typeof file === "object" && file !== null && "version" in file ? file.version : undefined;
  return String(version);
}
