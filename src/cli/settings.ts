import { UsageError } from "../domain/error.ts";

/** The settings of contract section 9, checked. */
export interface Settings {
  readonly database: string;
  /** Without a trailing slash; absent: the address listened on. */
  readonly publicUrl: string | undefined;
  /** Requests a minute and token; 0 for no limit. */
  readonly rateLimit: number;
}

const MOST_WORKERS = 128;

/** Reads the settings from the environment and, above it, `--database`. Throws a UsageError that names the bad one. */
export function readSettings(environment: NodeJS.ProcessEnv, database?: string): Settings {
  return {
    database: database ?? (environment.ROLEBOOK_DATABASE_URL || "sqlite:rolebook.db"),
    publicUrl: publicUrlOf(environment.ROLEBOOK_PUBLIC_URL),
    rateLimit: rateLimitOf(environment.ROLEBOOK_RATE_LIMIT),
  };
}

function publicUrlOf(value: string | undefined): string | undefined {
  if (value === undefined || value === "") return undefined;
  const url = URL.canParse(value) ? new URL(value) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol) || url.search !== "" || url.hash !== "") {
    throw new UsageError(
      `ROLEBOOK_PUBLIC_URL is ${JSON.stringify(value)}; accepted: an http or https address without query and fragment.`,
    );
  }
  return value.replace(/\/+$/, "");
}

function rateLimitOf(value: string | undefined): number {
  if (value === undefined || value === "") return 0;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  throw new UsageError(
    `ROLEBOOK_RATE_LIMIT is ${JSON.stringify(value)}; accepted: requests a minute as a whole number, 0 for no limit.`,
  );
}

/** A duration such as `90d` or `12h`, in milliseconds. Throws a UsageError for anything else. */
export function readLifetime(value: string): number {
  const [, amount, unit] = /^([1-9]\d{0,5})([dh])$/.exec(value) ?? [];
  if (amount === undefined) {
    throw new UsageError(
      `--expires is ${JSON.stringify(value)}; accepted: days or hours, such as 90d or 12h.`,
    );
  }
  return Number(amount) * (unit === "d" ? 24 : 1) * 60 * 60 * 1000;
}

/** How many processes share the port. Throws a UsageError for anything else. */
export function readWorkers(value: string): number {
  const workers = /^[1-9]\d{0,2}$/.test(value) ? Number(value) : Number.NaN;
  if (workers <= MOST_WORKERS) return workers;
  throw new UsageError(
    `--workers is ${JSON.stringify(value)}; accepted: a whole number from 1 to ${MOST_WORKERS}.`,
  );
}

/** A port number. Throws a UsageError for anything else. */
export function readPort(value: string): number {
  const port = /^\d{1,5}$/.test(value) ? Number(value) : Number.NaN;
  if (port <= 65535) return port;
  throw new UsageError(`--port is ${JSON.stringify(value)}; accepted: a whole number from 0 to 65535.`);
}
