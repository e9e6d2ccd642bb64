/**
 * Runs `rolebook`: in the process of the test, where a command is the built program's from its arguments to its exit
 * status, or in a process of its own, where processes, signals, pipes or another version are what is tested.
 */
import { type ChildProcess, spawn } from "node:child_process";
import { fileURLToPath } from "node:url";
import { run } from "../src/cli/program.ts";
import { HANG } from "./setup/hang.ts";

export const MAIN = fileURLToPath(new URL("../bin/rolebook.js", import.meta.url));

export interface Ran {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Commands of one process take turns: each has the whole of standard output, standard error and the environment. */
let last: Promise<unknown> = Promise.resolve();

/**
 * Runs a command in this process, or `serve`, which owns its process, in another. `environment` has all its settings
 * named ROLEBOOK_….
 */
export function rolebook(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Ran> {
  if (args[0] === "serve") return rolebookProcess(args, environment);
  const ran = last.then(() => runHere(args, environment));
  last = ran.catch(() => {});
  return ran;
}

async function runHere(args: readonly string[], environment: Readonly<Record<string, string>>): Promise<Ran> {
  const { stdout, stderr, env, exitCode } = process;
  const [out, err] = [new Kept(), new Kept()];
  const writes = [stdout.write, stderr.write] as const;
  stdout.write = out.write;
  stderr.write = err.write;
  process.env = settingsOf(environment);
  process.exitCode = undefined;
  try {
    await run([process.execPath, MAIN, ...args]);
    return { status: Number(process.exitCode ?? 0), stdout: out.text, stderr: err.text };
  } finally {
    [stdout.write, stderr.write] = writes;
    process.env = env;
    process.exitCode = exitCode;
  }
}

/** What a command writes to a stream. */
class Kept {
  readonly #chunks: Buffer[] = [];

  readonly write = (chunk: string | Uint8Array, ...rest: readonly unknown[]): boolean => {
    this.#chunks.push(Buffer.from(chunk));
    const done = rest.at(-1);
    if (typeof done === "function") queueMicrotask(() => done());
    return true;
  };

  get text(): string {
    return Buffer.concat(this.#chunks).toString();
  }
}

/** Runs a command in its own process. `main` is the script of another version. */
export function rolebookProcess(
  args: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  main = MAIN,
): Promise<Ran> {
  return ended(
    spawn(process.execPath, [main, ...args], {
      env: settingsOf(environment),
      stdio: ["ignore", "pipe", "pipe"],
      timeout: HANG,
    }),
  );
}

/** The environment of a command: that of the tests, with these settings only. */
function settingsOf(environment: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(([name]) => !name.startsWith("ROLEBOOK_"));
  return { ...Object.fromEntries(inherited), ...environment };
}

/** Resolves with the output and the exit status of a process when it ends. */
export async function ended(child: ChildProcess): Promise<Ran> {
  const out: Buffer[] = [];
  const err: Buffer[] = [];
  child.stdout?.on("data", (chunk: Buffer) => out.push(chunk));
  child.stderr?.on("data", (chunk: Buffer) => err.push(chunk));
  const status = await new Promise<number | null>((resolve, reject) => {
    child.on("error", reject);
    child.on("close", resolve);
  });
  return { status, stdout: Buffer.concat(out).toString(), stderr: Buffer.concat(err).toString() };
}
