/** Prints docs/operations.md with the table of settings as the program has them; with `--write` the page is changed. */
import { readFileSync, writeFileSync } from "node:fs";
import { settingsTable } from "../src/cli/settings/shown.ts";

const PAGE = new URL("../docs/operations.md", import.meta.url);

const page = readFileSync(PAGE, "utf8").replace(
  /^\| Name \| Meaning \|.*\n(?:\|.*\n)+/m,
  () => `${settingsTable()}\n`,
);
if (process.argv.includes("--write")) writeFileSync(PAGE, page);
else process.stdout.write(page);
