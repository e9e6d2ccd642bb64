import { spawn } from "node:child_process";
import { on } from "node:events";
import { fileURLToPath } from "node:url";
import { LOAD_CORE, onCore } from "./cores.ts";

const LOAD = fileURLToPath(new URL("load.ts", import.meta.url));

/** An order for the load generator. */
export interface Order {
  /** The URL of the server, as `http://host:port`. */
  readonly url: string;
  /** Path of a file with one request path per line, each of which is requested once. */
  readonly paths: string;
  readonly token: string;
  readonly connections: number;
}

export type Report = { readonly type: "done" } | { readonly type: "failed"; readonly message: string };

/** The load generator, a process of its own on the load's core, for all rounds. */
export interface Generator {
  /** Resolves when every path was answered. Throws unless all responses are 200. */
  readonly run: (order: Order) => Promise<void>;
  readonly stop: () => void;
}

export function startGenerator(): Generator {
  const [program = "", ...rest] = onCore(LOAD_CORE, [process.execPath, LOAD]);
  const child = spawn(program, rest, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const reports = on(child, "message", { close: ["exit"] });
  return {
    async run(order) {
      child.send(order);
      const { value, done } = await reports.next();
      if (done) throw new Error("the load generator ended");
      const report: Report = value[0];
      if (report.type === "failed") throw new Error(report.message);
    },
    stop: () => child.kill(),
  };
}
