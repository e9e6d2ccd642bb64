import { UsageError } from "../../../../domain/error.ts";

/** The parameters that a `postgres://` URL may have: some of libpq's, and `pool_size` and `statement_timeout`. */
const NAMES = [
  "target_session_attrs",
  "load_balance_hosts",
  "connect_timeout",
  "statement_timeout",
  "pool_size",
  "application_name",
  "options",
  "sslmode",
  "sslrootcert",
  "sslcert",
  "sslkey",
  "sslpassword",
] as const;

export type ParameterName = (typeof NAMES)[number];
export type Parameters = ReadonlyMap<ParameterName, string>;

/** Parses the part of the URL after the question mark. Throws a UsageError for a name that is not accepted. */
export function readParameters(query: string): Parameters {
  const parameters = new Map<ParameterName, string>();
  for (const part of query === "" ? [] : query.split("&")) {
    const [written = "", value = ""] = part.split(/=(.*)/s, 2);
    const name = NAMES.find((known) => known === written);
    if (name === undefined) {
      throw new UsageError(
        `The database URL has the parameter ${JSON.stringify(written)}; accepted: ${NAMES.join(", ")}.`,
      );
    }
    parameters.set(name, decode(value, name));
  }
  return parameters;
}

/** Decodes percent-encoding. Throws a UsageError that does not show the text, because it may be a password. */
export function decode(text: string, what: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new UsageError(`The database URL has broken percent-encoding in its ${what}.`);
  }
}

/** Returns `value` if `accepted` has it. Throws a UsageError otherwise. */
export function oneOf<Value extends string>(
  name: ParameterName,
  accepted: readonly Value[],
  value: string,
): Value {
  const found = accepted.find((each) => each === value);
  if (found !== undefined) return found;
  throw new UsageError(
    `The database URL has ${name}=${JSON.stringify(value)}; accepted: ${accepted.join(", ")}.`,
  );
}

/**
 * Reads a whole number from `from` to `to`; `absent` if the URL does not have the parameter. Throws a UsageError for
 * any other value.
 */
export function whole(
  parameters: Parameters,
  name: ParameterName,
  absent: number,
  from: number,
  to: number,
): number {
  const text = parameters.get(name);
  if (text === undefined) return absent;
  const value = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (value >= from && value <= to) return value;
  throw new UsageError(
    `The database URL has ${name}=${JSON.stringify(text)}; accepted: a whole number from ${from} to ${to}.`,
  );
}
