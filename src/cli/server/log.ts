/** The log of a server: one JSON object a line on standard error, with an ISO time. */
import { destination, type Logger, pino, stdTimeFunctions } from "pino";
import type { Level } from "../settings/table.ts";

export interface Log {
  /** Requests and errors, from the level that is set. */
  readonly work: Logger;
  /** Start, stop and what becomes of workers: `info`, but only `silent` leaves it out. */
  readonly life: Logger;
  /** Why there is no server; nothing leaves it out. */
  readonly last: Logger;
}

/** Opens the log of this process; what Node has to say goes there too. */
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
