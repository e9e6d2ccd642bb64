/**
 * Measures the time from the start of a server of Acme, the example organization, to the last byte of its first answer,
 * in turn with other forms of the program (decision 14). Nothing is pinned.
 *
 *     node bench/start.ts [--rounds 20] [MAIN...]
 *
 * MAIN is the script of another build, such as that of another commit.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseArgs } from "node:util";
import { ask } from "./server/capture.ts";
import { MAIN, rolebook } from "./server/rolebook.ts";
import { show, spread } from "./figures/spread.ts";

const PAGE = "/v1/spaces/api-reference/permissions/aggregate";
const SOURCES = fileURLToPath(new URL("../src/cli/main.ts", import.meta.url));
const EXAMPLE = fileURLToPath(new URL("../examples/acme.ndjson", import.meta.url));

/** A way to start the program. */
interface Form {
  readonly name: string;
  readonly main: string;
  readonly env?: Readonly<Record<string, string>>;
}

const { values, positionals } = parseArgs({
  options: { rounds: { type: "string", default: "20" } },
  allowPositionals: true,
});
const folder = mkdtempSync(join(tmpdir(), "bench-start-"));
const database = `sqlite:${join(folder, "acme.db")}`;
const forms: Form[] = [
  { name: "as shipped", main: MAIN },
  {
    name: "with a compile cache",
    main: MAIN,
    env: { NODE_COMPILE_CACHE: join(folder, "compiled") },
  },
  { name: "the sources", main: SOURCES },
  ...positionals.map((main) => ({ name: main, main })),
];
try {
  await rolebook("import", "--database", database, EXAMPLE);
  const token = await rolebook("token", "create", "--database", database, "--organization", "acme");
  const figures = forms.map((form) => ({ ...form, milliseconds: numbers(), cpu: numbers() }));
  const empty = numbers();
  for (let round = 0; round <= Number(values.rounds); round += 1) {
    const nothing = await emptyNode();
    if (round > 0) empty.push(nothing);
    for (const form of figures) {
      const { milliseconds, cpu } = await firstAnswer(form, token);
      // Round 0 fills the file caches.
      if (round === 0) continue;
      form.milliseconds.push(milliseconds);
      form.cpu.push(cpu);
    }
  }
  console.log("| | first answer, ms | CPU until then, ms |\n|---|---|---|");
  for (const { name, milliseconds, cpu } of figures)
    console.log(`| ${name} | ${show(spread(milliseconds), 0)} | ${show(spread(cpu), 0)} |`);
  console.log(`| \`node -e 0\` | ${show(spread(empty), 0)} | |`);
} finally {
  rmSync(folder, { recursive: true, force: true });
}

function numbers(): number[] {
  return [];
}

async function firstAnswer(
  { main, env }: Form,
  token: string,
): Promise<{ milliseconds: number; cpu: number }> {
  const begin = performance.now();
  const child = spawn(process.execPath, [main, "serve", "--port", "0", "--database", database], {
    env: { ...process.env, ROLEBOOK_LOG_LEVEL: "info", ...env },
    stdio: ["ignore", "ignore", "pipe"],
  });
  await ask(new URL(PAGE, await address(child)), token);
  const milliseconds = performance.now() - begin;
  const cpu = cpuOf(child.pid ?? 0);
  child.kill("SIGTERM");
  await once(child, "exit");
  return { milliseconds, cpu };
}

/** The address that the server prints. Rejects if the server ends without one. */
async function address(child: ChildProcess): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  let said = "";
  child.stderr?.on("data", (data: Buffer) => {
    said += data.toString();
    const [found] = /http:\/\/[^\s"]+/.exec(said) ?? [];
    if (found !== undefined) resolve(found);
  });
  child.once("exit", () => reject(new Error(`the server ended: ${said}`)));
  return promise;
}

/** The CPU of a process, all threads, in milliseconds; 0 if the system has no /proc. */
function cpuOf(pid: number): number {
  if (process.platform !== "linux") return 0;
  const threads = readdirSync(`/proc/${pid}/task`);
  const nanoseconds = threads.map((thread) =>
    Number(readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ")[0]),
  );
  return nanoseconds.reduce((sum, each) => sum + each, 0) / 1e6;
}

async function emptyNode(): Promise<number> {
  const begin = performance.now();
  await once(spawn(process.execPath, ["-e", "0"], { stdio: "ignore" }), "exit");
  return performance.now() - begin;
}
