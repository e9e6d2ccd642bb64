/** The log of a server: one JSON object per line on standard error, with an ISO time. */
import { destination, type DestinationStream, type Logger, pino, stdTimeFunctions } from "pino";
import type { Level } from "../settings/table.ts";

export interface Log {
  /** Requests and errors, at the configured level. */
  readonly work: Logger;
  /** Start, stop and worker events: at level `info`, suppressed only by `silent`. */
  readonly life: Logger;
  /** Why the server ended or did not start; never suppressed. */
  readonly last: Logger;
}

/** Opens the log of this process. Node's warnings go to the log too. */
export function openLog(level: Level): Log {
  const out = standardError();
  const work = logger(level, out);
  const last = logger("fatal", out);
  process.on("uncaughtException", (error) => {
    last.fatal({ err: error }, "unexpected error");
    process.exit(1);
  });
  process.removeAllListeners("warning").on("warning", (warning) => work.warn({ err: warning }, "warning"));
  return { work, life: logger(level === "silent" ? level : "info", out), last };
}

function logger(level: Level, to: DestinationStream): Logger {
  return pino({ level, timestamp: stdTimeFunctions.isoTime }, to);
}

/** How long a line may wait to be written, in milliseconds. */
const LONGEST_WAIT = 5;

/** Standard error. Log lines are written several at a time, because one write takes as long as answering a page. */
function standardError(): DestinationStream {
  const out = destination(2);
  let lines = "";
  const flush = () => {
    const written = lines;
    lines = "";
    if (written !== "") out.write(written);
  };
  // At exit, Node does not wait for an asynchronous write, so the last lines are written synchronously.
  process.on("exit", () => {
    if (lines !== "") destination({ dest: 2, sync: true }).write(lines);
  });
  return {
    write(line) {
      if (lines === "") setTimeout(flush, LONGEST_WAIT).unref();
      lines += line;
    },
  };
}
