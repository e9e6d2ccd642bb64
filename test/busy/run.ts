/**
 * `npm run test:busy`: all tests as on machines that are slow or busy, four times: three times beside eight busy
 * processes of the same priority, then on one core alone. Prints how long each run took. Words go to vitest.
 */
import { type ChildProcess, spawn, spawnSync } from "node:child_process";

const BUSY = 8;
const LOOP = "for (;;);";
const VITEST = ["node_modules/vitest/vitest.mjs", "run", ...process.argv.slice(2)];

/** Runs all tests, and returns what became of them. */
function tested(name: string, command: string, args: readonly string[]): string {
  console.log(`\n== ${name} ==`);
  const began = performance.now();
  const { status, error } = spawnSync(command, args, { stdio: "inherit" });
  const minutes = (performance.now() - began) / 60_000;
  if (status !== 0) process.exitCode = 1;
  const how = status === 0 ? "passed" : error === undefined ? "FAILED" : `not run (${error.message})`;
  return `${name}: ${how}, ${minutes.toFixed(1)} minutes`;
}

const said: string[] = [];
const loops: ChildProcess[] = [];
try {
  for (let count = 0; count < BUSY; count++)
    loops.push(spawn(process.execPath, ["--eval", LOOP], { stdio: "ignore" }));
  for (const time of ["first", "second", "third"])
    said.push(tested(`beside ${BUSY} busy processes, the ${time} time`, process.execPath, VITEST));
} finally {
  for (const loop of loops) loop.kill();
}
said.push(tested("on one core", "taskset", ["-c", "0", process.execPath, ...VITEST]));
console.log(`\n${said.join("\n")}`);
