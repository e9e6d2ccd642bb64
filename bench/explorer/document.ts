import { cpus } from "node:os";
import { readFileSync, writeFileSync } from "node:fs";
import { SIZES, type Size } from "../data/sizes.ts";

const DOCUMENT = new URL("../../docs/explorer.md", import.meta.url);
const HEADING = "## How fast it is";

/** Writes the figures into docs/explorer.md, as its last section. */
export function writeTimes(size: Size, lines: readonly string[], load: number): void {
  const text = readFileSync(DOCUMENT, "utf8");
  const rows = lines.map((line) => {
    const at = line.lastIndexOf(": ");
    return `| ${line.slice(0, at)} | ${line.slice(at + 2)} |`;
  });
  const section = [
    HEADING,
    "",
    `Measured by \`node bench/explorer.ts --size ${size} --write\` with ${SIZES[size].members.toLocaleString("en")} members on the machine of \`docs/performance.md\`, each thing for the first time in a revision. The machine has ${cpus().length} cores, and its load average was ${load.toFixed(1)}: with other work beside it, times by the clock are longer than the work takes. CPU times are not.`,
    "",
    "| What | Time |",
    "|---|---|",
    ...rows,
    "",
  ];
  const begin = text.indexOf(`\n${HEADING}`);
  const before = begin < 0 ? `${text.trimEnd()}\n` : text.slice(0, begin);
  writeFileSync(DOCUMENT, `${before}\n${section.join("\n")}`);
}
