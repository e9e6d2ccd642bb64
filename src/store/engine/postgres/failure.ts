import { DatabaseError } from "pg";
import { ApiError, CommandError, unavailable } from "../../../domain/error.ts";
import { SCHEMA } from "../../schema/migrations.ts";

/**
 * What an error means for the caller. `lost`: the outcome of the statement is unknown, and another connection may work.
 * `refused`: the server is reachable but does not serve now. `other`: the statement or the program is at fault.
 */
export type Failure = "lost" | "refused" | "other";

const READ_ONLY = "25006";
/** A statement exceeded `statement_timeout`. */
const TIME_LIMIT = "57014";

/** SQLSTATE codes and prefixes after which another connection or server may work. */
const LOST = [
  "08", // connection exception
  "57P01", // admin shutdown
  "57P02", // crash shutdown
  "57P03", // cannot connect now
  "57P05", // idle session timeout
  "40001", // on a standby: conflict with recovery
  "26000", // a missing prepared statement: a proxy gave us another session
];
/** SQLSTATE codes and prefixes of a server that is reachable but does not serve now. */
const REFUSED = [
  "53", // insufficient resources, too many connections
  "55P03", // lock not available
  TIME_LIMIT,
  "28", // authorization
  "3D000", // no such database
  READ_ONLY, // a standby where a primary was
];

export function failureOf(error: unknown): Failure {
  if (error instanceof ApiError || error instanceof CommandError) return "other";
  if (error instanceof DatabaseError) {
    const { code = "", message } = error;
    // Only a new session makes new plans after a migration.
    if (message.startsWith("cached plan")) return "lost";
    if (isOfAnotherNode(error)) return "refused";
    if (LOST.some((start) => code.startsWith(start))) return "lost";
    return REFUSED.some((start) => code.startsWith(start)) ? "refused" : "other";
  }
  // The driver's errors, such as broken sockets and timeouts, are neither TypeErrors nor RangeErrors.
  return error instanceof TypeError || error instanceof RangeError ? "other" : "lost";
}

/** SQLSTATE prefixes of broken connections and stopping servers. */
const BROKEN = ["08", "57P"];

/** How Citus begins the message, with the SQLSTATE of an internal error, if it loses a node inside a transaction. */
const LOST_NODE = "failure on connection marked as essential";

/**
 * Whether a server reports that its connection to another node broke. If our own connection breaks, the error has the
 * severity FATAL.
 */
function isOfAnotherNode({ code = "", severity, message }: DatabaseError): boolean {
  if (severity !== "ERROR") return false;
  return BROKEN.some((start) => code.startsWith(start)) || message.startsWith(LOST_NODE);
}

/** Whether the server ended a statement at its time limit. */
export function isTimeLimit(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === TIME_LIMIT;
}

/** Whether the driver waited for an answer for longer than `query_timeout`. */
export function isDriverTimeout(error: unknown): boolean {
  return error instanceof Error && error.message === "Query read timeout";
}

/** Whether the connection that reported this error must be closed. */
export function endsConnection(error: unknown): boolean {
  const failure = failureOf(error);
  if (failure !== "refused") return failure === "lost";
  // Behind a proxy, a new connection may reach a server that accepts writes.
  return !(error instanceof DatabaseError) || error.severity !== "ERROR" || error.code === READ_ONLY;
}

/** An error as one line for the terminal, without credentials. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof AggregateError) return [...new Set(error.errors.map(reasonOf))].join(", ");
  return (
    error.message
      .trim()
      .replaceAll(/\s*\n\s*/g, " ")
      .replace(/\.$/, "") || ("code" in error ? String(error.code) : error.name)
  );
}

/**
 * Converts an error for a command: a CommandError of one line if the database or its network is at fault; otherwise the
 * error itself.
 */
export function toCommandError(error: unknown): unknown {
  if (error instanceof ApiError) return new CommandError(error.message, { cause: error });
  if (failureOf(error) === "other" && !isDenied(error)) return error;
  return new CommandError(`The database could not do that: ${reasonOf(error)}.`, { cause: error });
}

/**
 * Converts an error for a request: an ApiError with status 503 if the database or its network is at fault; otherwise as
 * `toCommandError` does.
 */
export function answered(error: unknown): unknown {
  return failureOf(error) === "other" ? toCommandError(error) : unavailable(error);
}

/** Whether the database role lacks a privilege. */
function isDenied(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === "42501";
}

/** Whether a table is missing that every schema version has. */
export function isWithoutTables(error: unknown): boolean {
  return error instanceof DatabaseError && error.code === "42P01";
}

export function wrongSchema(name: string, schema: number): CommandError {
  const advice = schema < SCHEMA ? "Run: rolebook database migrate" : "Use a newer rolebook.";
  return new CommandError(
    `The database ${name} has schema ${schema}; this program works with ${SCHEMA}. ${advice}`,
  );
}
