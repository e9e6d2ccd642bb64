import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

const MAIN = new URL("../../bin/rolebook.js", import.meta.url).pathname;

export interface Ended {
  readonly status: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface RunOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** Modules that Node preloads (`--import`). */
  readonly preload?: readonly string[];
  /** A command that runs the program, such as `prlimit`, with its arguments. */
  readonly under?: readonly string[];
  /** The program is killed after this time, in milliseconds. */
  readonly killAfter?: number;
}

/** A run of `rolebook` that can be killed. */
export class Program {
  readonly #child: ChildProcess;
  readonly ended: Promise<Ended>;
  #stdout = "";
  #stderr = "";

  constructor(args: readonly string[], { environment = {}, preload = [], under = [] }: RunOptions = {}) {
    const node = [process.execPath, ...preload.flatMap((module) => ["--import", module]), MAIN, ...args];
    const [command = "", ...rest] = [...under, ...node];
    const { NODE_OPTIONS: _, ...inherited } = process.env;
    this.#child = spawn(command, rest, {
      env: { ...inherited, ROLEBOOK_LOG_LEVEL: "warn", ...environment },
      stdio: ["ignore", "pipe", "pipe"],
    });
    this.#child.stdout?.on("data", (data: Buffer) => (this.#stdout += data.toString("utf8")));
    this.#child.stderr?.on("data", (data: Buffer) => (this.#stderr += data.toString("utf8")));
    this.ended = this.#end();
  }

  get pid(): number {
    return this.#child.pid ?? 0;
  }

  kill(signal: NodeJS.Signals = "SIGKILL"): void {
    this.#child.kill(signal);
  }

  /** Resolves when standard error matches `pattern`; rejects if the program ends before. */
  async says(pattern: RegExp): Promise<RegExpExecArray> {
    for (;;) {
      const found = pattern.exec(this.#stderr);
      if (found !== null) return found;
      if (this.#child.exitCode !== null || this.#child.signalCode !== null) {
        throw new Error(`ended with ${this.#child.exitCode}: ${this.#stderr}`);
      }
      await Promise.race([once(this.#child.stderr ?? this.#child, "data"), this.ended]);
    }
  }

  async #end(): Promise<Ended> {
    const [status, signal]: [number | null, NodeJS.Signals | null] = await new Promise((resolve) => {
      this.#child.on("close", (code, by) => resolve([code, by]));
    });
    return { status, signal, stdout: this.#stdout, stderr: this.#stderr };
  }
}

/** Runs `rolebook` to its end. */
export async function rolebook(args: readonly string[], options: RunOptions = {}): Promise<Ended> {
  const program = new Program(args, options);
  const timer =
    options.killAfter === undefined ? undefined : setTimeout(() => program.kill(), options.killAfter);
  const ended = await program.ended;
  clearTimeout(timer);
  return ended;
}

/**
 * What is wrong with how a failing command ended: it must exit with 1 and one line of output, without a stack trace.
 * `undefined` if nothing is wrong.
 */
export function faultOf({ status, signal, stderr }: Ended): string | undefined {
  if (signal !== null || status !== 1) return `ended with ${status ?? signal}: ${stderr}`;
  const lines = stderr.trim().split("\n");
  if (lines.length !== 1 || lines[0] === "") return `not one line: ${stderr}`;
  return /[Uu]nexpected error|^\s+at |node:|\.[jt]s:\d/m.test(stderr)
    ? `not meant for people: ${stderr}`
    : undefined;
}
