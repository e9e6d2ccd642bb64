/** The log of a server: one JSON object per line on standard error, with an ISO time. */
import { destination, type Logger, pino, stdTimeFunctions } from "pino";
import type { Level } from "../settings/table.ts";

export interface Log {
  /** Requests and errors, from the configured level on. */
  readonly work: Logger;
  /** Start, stop and worker events: at level `info`, suppressed only by `silent`. */
  readonly life: Logger;
  /** The reason why the server ended or did not start; never suppressed. */
  readonly last: Logger;
}

/** Opens the log of this process. Node's warnings go there too. */
export function openLog(level: Level): Log {
  const work = logger(level);
  const last = logger("fatal");
  process.on("uncaughtException", (error) => {
    last.fatal({ err: error }, "unforeseen error");
    process.exit(1);
  });
  process.removeAllListeners("warning").on("warning", (warning) => work.warn({ err: warning }, "warning"));
  return { work, life: logger(level === "silent" ? level : "info"), last };
}

function logger(level: Level): Logger {
  return pino({ level, timestamp: stdTimeFunctions.isoTime }, destination(2));
}
