import { existsSync, readFileSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { type ConnectionOptions, getCACertificates } from "node:tls";
import { UsageError } from "../../../../domain/error.ts";
import { oneOf, type ParameterName, type Parameters } from "./parameters.ts";

const MODES = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"] as const;

/** The TLS options of the connection attempts, in order; `false` connects without TLS. */
export type Tls = readonly (ConnectionOptions | false)[];

/**
 * Reads `sslmode` (by default `PGSSLMODE`, then `prefer`) and related parameters, with libpq's meanings: `require` with
 * a root certificate means `verify-ca`, and `sslrootcert=system` trusts the system's authorities. The default of
 * `sslrootcert` is ~/.postgresql/root.crt if it exists, else the authorities that Node.js trusts. Throws a UsageError
 * for an unknown mode and for a file that cannot be read.
 */
export function readTls(parameters: Parameters): Tls {
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
  if (file !== undefined) return { ca: read("sslrootcert", file) };
  const usual = join(homedir(), ".postgresql", "root.crt");
  return existsSync(usual) ? { ca: read("sslrootcert", usual) } : undefined;
}

function clientCertificate(parameters: Parameters): ConnectionOptions {
  const certificate = parameters.get("sslcert");
  const key = parameters.get("sslkey");
  const passphrase = parameters.get("sslpassword");
  return {
    ...(certificate === undefined ? {} : { cert: read("sslcert", certificate) }),
    ...(key === undefined ? {} : { key: read("sslkey", key) }),
    ...(passphrase === undefined ? {} : { passphrase }),
  };
}

function read(name: ParameterName, file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    throw new UsageError(
      `The database URL has ${name}=${JSON.stringify(file)}; accepted: a file that can be read.`,
    );
  }
}
