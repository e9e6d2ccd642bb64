import { UsageError } from "../../../../domain/error.ts";
import { decode, oneOf, readParameters, whole } from "./parameters.ts";
import { readTls, type Tls } from "./tls.ts";

export interface Address {
  readonly host: string;
  readonly port: number;
}

/** The servers that may be read, as in libpq's `target_session_attrs`. */
export const TARGETS = ["any", "read-write", "read-only", "primary", "standby", "prefer-standby"] as const;
export type Target = (typeof TARGETS)[number];

export interface PostgresSettings {
  /** The URL for messages and logs, without credentials and parameters. */
  readonly name: string;
  /** At least one, in the order of the URL. */
  readonly addresses: readonly Address[];
  readonly user: string | undefined;
  readonly password: string | undefined;
  readonly database: string | undefined;
  readonly target: Target;
  /** Whether each server process tries the addresses in a random order. */
  readonly shuffled: boolean;
  readonly tls: Tls;
  /** The time limit in milliseconds for opening a connection, and for waiting for a free one. */
  readonly connectTimeout: number;
  /** The time limit for one statement of a request, in milliseconds. */
  readonly statementTimeout: number;
  /** The maximum number of connections to each address. The session that probes the address does not count. */
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
 * Parses `postgres://USER:PASSWORD@HOST:PORT,HOST:PORT/DATABASE?PARAMETER=VALUE…` as libpq does. Two parameters are our
 * own: `pool_size` and `statement_timeout` (milliseconds). Throws a UsageError of one line without credentials.
 */
export function readPostgresUrl(url: string): PostgresSettings {
  const [, credentials = "", hosts, path = "", query = ""] = URL_SHAPE.exec(url) ?? [];
  if (hosts === undefined) {
    throw new UsageError(
      "The database URL is not understood; accepted: postgres://USER:PASSWORD@HOST:PORT,HOST:PORT/DATABASE?PARAMETER=VALUE, with special characters in each part percent-encoded.",
    );
  }
  const parameters = readParameters(query);
  const addresses = readAddresses(hosts);
  const [user, password] = credentials.split(/:(.*)/s, 2).map((part) => decode(part, "user or password"));
  const database = decode(path, "database name");
  const hostList = addresses.map(addressText).join(",");
  return {
    name: `postgres://${hostList}/${database}`,
    addresses,
    user: user || undefined,
    password: password || undefined,
    database: database || undefined,
    target: oneOf("target_session_attrs", TARGETS, parameters.get("target_session_attrs") ?? "any"),
    shuffled:
      oneOf(
        "load_balance_hosts",
        ["disable", "random"],
        parameters.get("load_balance_hosts") ?? "disable",
      ) === "random",
    tls: readTls(parameters),
    connectTimeout: 1000 * whole(parameters, "connect_timeout", DEFAULT_TIMEOUT, 1, 600),
    statementTimeout: whole(parameters, "statement_timeout", 10_000, 100, 3_600_000),
    poolSize: whole(parameters, "pool_size", DEFAULT_POOL, 1, 1000),
    applicationName: parameters.get("application_name") ?? "rolebook",
    options: parameters.get("options"),
  };
}

/** The address as `host:port`, with an IPv6 address in brackets. */
export function addressText({ host, port }: Address): string {
  return `${host.includes(":") ? `[${host}]` : host}:${port}`;
}

function readAddresses(hosts: string): Address[] {
  return hosts.split(",").map((text) => {
    const [, bracketed, plain, port] =
      /^(?:\[([0-9A-Fa-f:.%]+)\]|([^:[\]]*))(?::(\d{1,5}))?$/.exec(text) ?? [];
    if (bracketed === undefined && plain === undefined) {
      throw new UsageError(
        "The database URL has a host that is not understood; accepted: HOST or HOST:PORT, several with commas, IPv6 addresses in brackets, an @ in a password as %40.",
      );
    }
    const number = port === undefined ? DEFAULT_PORT : Number(port);
    if (number < 1 || number > 65535) {
      throw new UsageError(
        `The database URL has the port ${port}; accepted: a whole number from 1 to 65535.`,
      );
    }
    return { host: decode(bracketed ?? plain ?? "", "host") || "localhost", port: number };
  });
}
