import { spawn } from "node:child_process";
import { on } from "node:events";
import { fileURLToPath } from "node:url";
import { LOAD_CORE, onCore } from "../server/cores.ts";
import type { Order, Outcome, Report } from "./order.ts";

const LOAD = fileURLToPath(new URL("load.ts", import.meta.url));

/** The load generator, a process of its own on the load's core, for all rounds. */
export interface Generator {
  /**
   * Runs one measurement. Calls `during` when it begins, and again at its end while load still runs. Returns the
   * outcome and the line of the next path. Throws unless all responses are 200.
   */
  readonly run: (order: Order, during: () => Promise<void>) => Promise<{ outcome: Outcome; next: number }>;
  readonly stop: () => void;
}

export function startGenerator(): Generator {
  const [program = "", ...rest] = onCore(LOAD_CORE, [process.execPath, LOAD]);
  const child = spawn(program, rest, { stdio: ["ignore", "ignore", "inherit", "ipc"] });
  const reports = on(child, "message", { close: ["exit"] });

  async function answer<T extends Report["type"]>(type: T): Promise<Extract<Report, { type: T }>> {
    const { value, done } = await reports.next();
    if (done) throw new Error("the load generator ended");
    const report: Report = value[0];
    if (report.type === "failed") throw new Error(report.message);
    if (!is(report, type)) throw new Error(`the load generator says ${report.type} instead of ${type}`);
    return report;
  }

  return {
    async run(order, during) {
      child.send(order);
      await answer("begin");
      await during();
      const { outcome } = await answer("end");
      await during();
      child.send("stop");
      const { next } = await answer("stopped");
      return { outcome, next };
    },
    stop: () => child.kill(),
  };
}

function is<T extends Report["type"]>(report: Report, type: T): report is Extract<Report, { type: T }> {
  return report.type === type;
}
