import { ApiError, CommandError, RefusedError, UsageError } from "../domain/error.ts";
import { say } from "./context.ts";

/**
 * Reports an error to `tell` and sets the exit status: 1 failed, 2 wrong usage or setting, 3 refused (contract,
 * section 9).
 */
export function fail(error: unknown, tell = say): void {
  process.exitCode = error instanceof UsageError ? 2 : error instanceof RefusedError ? 3 : 1;
  const foreseen = [UsageError, CommandError, ApiError].some((kind) => error instanceof kind);
  if (foreseen && error instanceof Error) tell(reasonIn(error));
  else tell(`Unexpected error: ${error instanceof Error ? error.stack : String(error)}`);
}

/** The database's own message: useful at the terminal, never sent to API clients. */
function reasonIn(error: Error): string {
  if (!(error instanceof ApiError && error.cause instanceof Error)) return error.message;
  return `${error.message} (${error.cause.message})`;
}
