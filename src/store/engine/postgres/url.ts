/** Reads a PostgreSQL URL as libpq does, with TLS. Every mistake is refused in one line without credentials. */
import { UsageError } from "../../../domain/error.ts";
import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { type ConnectionOptions, getCACertificates } from "node:tls";

export interface PostgresSettings {
  /** The URL for messages and logs, without credentials and parameters. */
  readonly name: string;
  readonly host: string;
  readonly port: number;
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly database: string | undefined;
  readonly tls: Tls;
  /** The time limit in milliseconds for opening a connection, and for waiting for a free one. */
  readonly connectTimeout: number;
  /** The time limit for one statement of a request, in milliseconds. */
  readonly statementTimeout: number;
  /** The maximum number of connections that requests share. The session that asks for changes does not count. */
  readonly poolSize: number;
  readonly applicationName: string;
  /** libpq's `options`, such as `-c search_path=rolebook`. */
  readonly options: string | undefined;
}

const DEFAULT_PORT = 5432;
const DEFAULT_TIMEOUT = 5;
const DEFAULT_POOL = 10;

const URL_SHAPE = /^postgres(?:ql)?:\/\/(?:([^@/?#]*)@)?([^/?#]*)(?:\/([^?#]*))?(?:\?([^#]*))?$/;

/**
 * Parses `postgres://USER:PASSWORD@HOST:PORT/DATABASE?PARAMETER=VALUE…` as libpq does. Two parameters are our
 * own: `pool_size` and `statement_timeout` (milliseconds). Throws a UsageError of one line without credentials.
 */
export function readPostgresUrl(url: string): PostgresSettings {
  const [, credentials = "", hosts, path = "", query = ""] = URL_SHAPE.exec(url) ?? [];
  if (hosts === undefined) {
    throw new UsageError(
      "The database URL is not understood; accepted: postgres://USER:PASSWORD@HOST:PORT/DATABASE?PARAMETER=VALUE, with special characters in each part percent-encoded.",
    );
  }
  const parameters = readParameters(query);
  const { host, port } = readAddress(hosts);
  const [user, password] = credentials.split(/:(.*)/s, 2).map((part) => decode(part, "user or password"));
  const database = decode(path, "database name");
  return {
    name: `postgres://${host.includes(":") ? `[${host}]` : host}:${port}/${database}`,
    host,
    port,
    user: user || undefined,
    password: password || undefined,
    database: database || undefined,
    tls: readTls(parameters),
    connectTimeout: 1000 * wholeNumber(parameters, "connect_timeout", DEFAULT_TIMEOUT, 1, 600),
    statementTimeout: wholeNumber(parameters, "statement_timeout", 10_000, 100, 3_600_000),
    poolSize: wholeNumber(parameters, "pool_size", DEFAULT_POOL, 1, 1000),
    applicationName: parameters.get("application_name") ?? "rolebook",
    options: parameters.get("options"),
  };
}

const ADDRESS = /^(?:\[([0-9A-Fa-f:.%]+)\]|([^@:[\]]*))(?::(\d{1,5}))?$/;

function readAddress(text: string): { host: string; port: number } {
  const [address, ...others] = text.split(",").map((each) => ADDRESS.exec(each));
  if (!address || others.includes(null)) {
    throw new UsageError(
      "The database URL has a host that is not understood; accepted: HOST or HOST:PORT, an IPv6 address in brackets, an @ in a password as %40.",
    );
  }
  if (others.length > 0) {
    throw new UsageError(
      `The database URL has ${others.length + 1} hosts; accepted: one, such as that of a proxy in front of several servers (docs/scale.md).`,
    );
  }
  const [, bracketed, plain, written] = address;
  const port = written === undefined ? DEFAULT_PORT : Number(written);
  if (port < 1 || port > 65535) {
    throw new UsageError(
      `The database URL has the port ${written}; accepted: a whole number from 1 to 65535.`,
    );
  }
  return { host: decode(bracketed ?? plain ?? "", "host") || "localhost", port };
}

/** The parameters that a `postgres://` URL may have: some of libpq's, and `pool_size` and `statement_timeout`. */
const NAMES = [
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

type UrlParameterName = (typeof NAMES)[number];
type UrlParameters = ReadonlyMap<UrlParameterName, string>;

/** Parses the part of the URL after the question mark. Throws a UsageError for a name that is not accepted. */
function readParameters(query: string): UrlParameters {
  const parameters = new Map<UrlParameterName, string>();
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
function decode(text: string, what: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new UsageError(`The database URL has broken percent-encoding in its ${what}.`);
  }
}

/** Returns `value` if `accepted` has it. Throws a UsageError otherwise. */
function oneOf<Value extends string>(
  name: UrlParameterName,
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
function wholeNumber(
  parameters: UrlParameters,
  name: UrlParameterName,
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

const MODES = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"] as const;

/** The TLS options of the connection attempts, in order; `false` connects without TLS. */
export type Tls = readonly (ConnectionOptions | false)[];

/**
 * Reads `sslmode` (by default `PGSSLMODE`, then `prefer`) and related parameters, with libpq's meanings: `require` with
 * a root certificate means `verify-ca`, and `sslrootcert=system` trusts the system's authorities. The default of
 * `sslrootcert` is ~/.postgresql/root.crt if it exists, else the authorities that Node.js trusts. Throws a UsageError
 * for an unknown mode and for a file that cannot be read.
 */
function readTls(parameters: UrlParameters): Tls {
  const mode = oneOf("sslmode", MODES, parameters.get("sslmode") ?? (process.env.PGSSLMODE || "prefer"));
  if (mode === "disable") return [false];
  const authorities = authoritiesOf(parameters.get("sslrootcert"));
  const client = clientCertificate(parameters);
  const unchecked = { ...client, rejectUnauthorized: false };
  // libpq's `verify-ca` checks the certificate chain, and does not compare the name of the host.
  const checkedChain = { ...client, ...authorities, checkServerIdentity: () => undefined };
  switch (mode) {
    case "allow":
      return [false, unchecked];
    case "prefer":
      return [unchecked, false];
    case "require":
      return [authorities === undefined ? unchecked : checkedChain];
    case "verify-ca":
      return [checkedChain];
    case "verify-full":
      return [{ ...client, ...authorities }];
  }
}

function authoritiesOf(file: string | undefined): { ca: string | string[] } | undefined {
  if (file === "system") return { ca: getCACertificates("system") };
  if (file !== undefined) return { ca: readFile("sslrootcert", file) };
  const usual = join(homedir(), ".postgresql", "root.crt");
  return existsSync(usual) ? { ca: readFile("sslrootcert", usual) } : undefined;
}

function clientCertificate(parameters: UrlParameters): ConnectionOptions {
  const certificate = parameters.get("sslcert");
  const key = parameters.get("sslkey");
  const passphrase = parameters.get("sslpassword");
  return {
    ...(certificate === undefined ? {} : { cert: readFile("sslcert", certificate) }),
    ...(key === undefined ? {} : { key: readFile("sslkey", key) }),
    ...(passphrase === undefined ? {} : { passphrase }),
  };
}

function readFile(name: UrlParameterName, file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    throw new UsageError(
      `The database URL has ${name}=${JSON.stringify(file)}; accepted: a file that can be read.`,
    );
  }
}
