/** HTTP statuses by error name (docs/errors.md). */
export const STATUS = {
  badRequest: 400,
  unauthorized: 401,
  forbidden: 403,
  notFound: 404,
  methodNotAllowed: 405,
  contentTooLarge: 413,
  uriTooLong: 414,
  unsupportedMediaType: 415,
  tooManyRequests: 429,
  headersTooLarge: 431,
  internal: 500,
  unavailable: 503,
} as const;

export type ErrorCode = keyof typeof STATUS;

/** A refusal of a request. The caller reads the message: one sentence, never with a secret. */
export class ApiError extends Error {
  override readonly name = "ApiError";
  readonly code: ErrorCode;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: ErrorCode, message: string, headers: Record<string, string> = {}) {
    super(message);
    this.code = code;
    this.headers = headers;
  }

  get status(): number {
    return STATUS[this.code];
  }
}

/**
 * The 503 of a request while the database cannot serve it (docs/errors.md). The caller may try again after 1 s.
 */
export function unavailable(cause?: unknown): ApiError {
  const error = new ApiError("unavailable", "The database does not answer now; try again.", {
    "retry-after": "1",
  });
  error.cause = cause;
  return error;
}

/** A command failed. Its message is for the person at the terminal; exit status 1. */
export class CommandError extends Error {
  override readonly name = "CommandError";
}

/** The database file cannot be read or written now, or holds other rows than it should: a command fails, a request gets a 503. */
export class DatabaseFileError extends CommandError {}

/** The guard refused an import or a change until an operator confirms it; exit status 3 (docs/snapshot.md). */
export class RefusedError extends CommandError {}

/**
 * A command has committed its revision, but the node of a distributed database with its rows does not show it; exit
 * status 4 (docs/operations.md).
 */
export class NotVisibleError extends CommandError {}

/** A setting or argument is not accepted; exit status 2 (docs/operations.md). */
export class UsageError extends Error {
  override readonly name = "UsageError";
}
