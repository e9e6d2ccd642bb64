import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Builds the program with one more migration, in a new folder. Returns its main file. */
export function makeVersion(folder: string, sql: string): string {
  for (const name of ["bin", "dist/program", "package.json"])
    cpSync(join(ROOT, name), join(folder, name), { recursive: true });
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const file = join(folder, "dist/program/store/schema/migrations.js");
  const steps = readFileSync(file, "utf8");
  const end = steps.lastIndexOf("];", steps.indexOf("export const SCHEMA ="));
  if (end === -1) throw new Error("the end of the migrations is not where this test looks for it");
  const before = steps.slice(0, end).replace(/,?\s*$/, ",");
  writeFileSync(file, `${before} () => ${JSON.stringify(sql)}${steps.slice(end)}`);
  return join(folder, "bin/rolebook.js");
}
