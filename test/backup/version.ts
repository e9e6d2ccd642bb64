import { cpSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const ROOT = fileURLToPath(new URL("../../", import.meta.url));

/** Makes the program as it is with one more migration, in a new folder; its main file. */
export function makeVersion(folder: string, sql: string): string {
  cpSync(join(ROOT, "src"), join(folder, "src"), { recursive: true });
  cpSync(join(ROOT, "package.json"), join(folder, "package.json"));
  symlinkSync(join(ROOT, "node_modules"), join(folder, "node_modules"));
  const file = join(folder, "src/store/migrations.ts");
  const end = "\n];\n\n/** The schema that this program works with. */";
  const steps = readFileSync(file, "utf8");
  if (steps.split(end).length !== 2)
    throw new Error("the end of the migrations is not where this test looks for it");
  writeFileSync(file, steps.replace(end, `\n  () => ${JSON.stringify(sql)},${end}`));
  return join(folder, "src/cli/main.ts");
}
