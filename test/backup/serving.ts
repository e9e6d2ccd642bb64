import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";

export interface Serving {
  readonly url: string;
  readonly child: ChildProcess;
  /** What the server has logged. */
  said(): string;
  /** Ends the server. Returns its exit status; `null` after SIGKILL. */
  stop(signal?: "SIGTERM" | "SIGKILL"): Promise<number | null>;
}

/** Starts a server and waits until it listens. Throws its output if it ends before. */
export async function startServing(
  command: readonly string[],
  environment: Record<string, string>,
): Promise<Serving> {
  const [program = "", ...args] = command;
  const child = spawn(program, args, {
    env: { PATH: process.env.PATH, ROLEBOOK_LOG_LEVEL: "warn", ...environment },
    stdio: ["ignore", "ignore", "pipe"],
  });
  const ended = once(child, "exit");
  let said = "";
  const url = await new Promise<string>((resolve, reject) => {
    child.stderr.on("data", (chunk: Buffer) => {
      said += chunk.toString();
      const found = /Rolebook serves .* at (http[^\s",]+)[",]/.exec(said)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.on("exit", () => reject(new Error(`The server did not start: ${said}`)));
  });
  return {
    url,
    child,
    said: () => said,
    async stop(signal = "SIGTERM") {
      child.kill(signal);
      const [status]: (number | null)[] = await ended;
      return status ?? null;
    },
  };
}
