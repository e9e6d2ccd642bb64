import { ApiError, CommandError, RefusedError, UsageError } from "../domain/error.ts";
import { say } from "./context.ts";

/**
 * Reports an error, and sets the exit status: 1 if the command failed, 2 for a wrong option or setting, 3 for a refusal
 * (contract, section 9).
 */
export function fail(error: unknown, tell = say): void {
  process.exitCode = error instanceof UsageError ? 2 : error instanceof RefusedError ? 3 : 1;
  const foreseen = [UsageError, CommandError, ApiError].some((kind) => error instanceof kind);
  if (foreseen && error instanceof Error) tell(reasonIn(error));
  else tell(`Unexpected error: ${error instanceof Error ? error.stack : String(error)}`);
}

/** At the terminal, the database's own message helps; API clients never see it. */
function reasonIn(error: Error): string {
  if (!(error instanceof ApiError && error.cause instanceof Error)) return error.message;
  return `${error.message} (${error.cause.message})`;
}
