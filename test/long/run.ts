/**
 * `npm run test:long [WORD…]`: the tests that take minutes, in parts of at most 40 minutes, of which a WORD selects those
 * whose names contain it. A part that fails or takes longer does not keep the next one from running.
 */
import { spawnSync } from "node:child_process";
import { debianPostgres } from "../parts/debian-postgres.ts";

/** The time limit of a part, in minutes. */
const LONGEST = 40;

const projects = [
  "crash",
  "every call",
  "every look",
  "load",
  "size",
  "random on SQLite",
  "other random cases",
  "random store on PostgreSQL",
  "Debian's PostgreSQL",
  "random with small limits",
  "random answers on PostgreSQL",
];
/** Each part, and what Node runs for it. */
const PARTS = new Map([
  ...projects.map((name): [string, string[]] => [
    name,
    ["node_modules/vitest/vitest.mjs", "run", "--config", "vitest.long.config.ts", "--project", name],
  ]),
  ["citus", ["test/citus/run.ts", "--if-there"]],
  ["faults", ["test/faults/run.ts"]],
]);

/** What this machine lacks for a part. */
const LACKING = new Map<string, string>();
if (debianPostgres() === undefined) LACKING.set("Debian's PostgreSQL", "/usr/lib/postgresql has no server");

const words = process.argv.slice(2);
const said: string[] = [];
for (const [name, args] of PARTS) {
  if (words.length > 0 && !words.some((word) => name.includes(word))) continue;
  const lacking = LACKING.get(name);
  if (lacking !== undefined) {
    said.push(`${name}: not run, ${lacking}`);
    continue;
  }
  console.log(`\n== ${name} ==`);
  const began = performance.now();
  const { status } = spawnSync(process.execPath, args, { stdio: "inherit", timeout: LONGEST * 60_000 });
  const minutes = (performance.now() - began) / 60_000;
  const how = status === 0 ? "passed" : minutes >= LONGEST ? "took too long" : "FAILED";
  said.push(`${name}: ${how}, ${minutes.toFixed(1)} minutes`);
  if (status !== 0) process.exitCode = 1;
}
if (said.length === 0) {
  said.push(`No part is named so; there are: ${[...PARTS.keys()].join(", ")}.`);
  process.exitCode = 1;
}
console.log(`\n${said.join("\n")}`);
