import { ApiError, CommandError, NotVisibleError, RefusedError, UsageError } from "../domain/error.ts";
import { say } from "./context.ts";

const STATUSES = [
  [UsageError, 2],
  [RefusedError, 3],
  [NotVisibleError, 4],
] as const;

/**
 * Reports an error, and sets the exit status (contract, section 9): 1 if the command failed, 2 for a wrong option or
 * setting, 3 for a refusal, 4 for a revision that is committed but not visible yet.
 */
export function fail(error: unknown, tell = say): void {
  const [, status = 1] = STATUSES.find(([kind]) => error instanceof kind) ?? [];
  process.exitCode = status;
  const foreseen = [UsageError, CommandError, ApiError].some((kind) => error instanceof kind);
  if (foreseen && error instanceof Error) tell(reasonIn(error));
  else tell(`Unexpected error: ${error instanceof Error ? error.stack : String(error)}`);
}

/** At the terminal, the database's own message helps; API clients never see it. */
function reasonIn(error: Error): string {
  if (!(error instanceof ApiError && error.cause instanceof Error)) return error.message;
  return `${error.message} (${error.cause.message})`;
}
