/** The log of a server: lines of JSON on standard error, each with an ISO time. */
import { destination, type DestinationStream, type Logger, pino, stdTimeFunctions } from "pino";
import type { LogLevel } from "../settings.ts";

export interface Log {
  /** For requests and errors; at the configured level. */
  readonly work: Logger;
  /** For start, stop and workers; always at level `info`, unless the configured level is `silent`. */
  readonly life: Logger;
  /** Says why the server ended or did not start; never silent. */
  readonly last: Logger;
}

/** Opens the log of this process. It gets Node's warnings and uncaught errors too. */
export function openLog(level: LogLevel): Log {
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

function logger(level: LogLevel, to: DestinationStream): Logger {
  return pino({ level, timestamp: stdTimeFunctions.isoTime }, to);
}

/** The longest time that a line waits to be written, in milliseconds. */
const LONGEST_WAIT = 5;

/** Writes several lines at once, because a write takes as long as the answer to a page. */
function standardError(): DestinationStream {
  const out = destination(2);
  let lines = "";
  const flush = () => {
    const written = lines;
    lines = "";
    if (written !== "") out.write(written);
  };
  // Synchronously, because Node does not wait for other writes when the process exits.
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
