import { randomBytes } from "node:crypto";
import { appendFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { preparePostgres, programs } from "../../parts/postgres.ts";
import { selfSigned } from "./certificate.ts";
import type { ServerFolder } from "./folder.ts";
import { giveAway, runUnprivileged } from "./identity.ts";

/** Values of postgresql.conf by name. */
export type Settings = Readonly<Record<string, string | number | boolean>>;

/** TLS options of a server, with its own self-signed certificate. */
export interface TlsOptions {
  /** Whether to refuse connections without TLS; by default both are accepted. */
  readonly required?: boolean;
  /** The names in the certificate, by default 127.0.0.1 and localhost; with other names it does not match. */
  readonly hosts?: readonly string[];
}

/** A role's name and password. */
export interface Login {
  readonly user: string;
  readonly password: string;
}

/** The file in the cluster that clients give as `sslrootcert`. */
export const certificateName = "server.crt";

/** Settings of test servers: fast and safe for tests, and different from a developer's usual settings. */
const defaults: Settings = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  // Data need not survive a crash of the machine; a killed server loses nothing.
  fsync: false,
  // In the data folder, so that a killed server leaves nothing in shared memory.
  dynamic_shared_memory_type: "mmap",
  // Not UTC, so that a date that depends on the server's zone is noticed.
  timezone: "Asia/Kathmandu",
  // A lagging standby still finds its log here, and retries soon.
  wal_keep_size: "512MB",
  wal_retrieve_retry_interval: "100ms",
};

/** Lines for postgresql.conf; the last of two for one setting counts. */
export function configuration(settings: Settings): string {
  return Object.entries(settings)
    .map(([name, value]) => `${name} = '${String(value).replaceAll(/['\\]/g, "$&$&")}'\n`)
    .join("");
}

async function writeCertificate(data: string, hosts: readonly string[]): Promise<void> {
  const { certificate, key } = selfSigned(hosts);
  await writeFile(join(data, certificateName), certificate);
  await writeFile(join(data, "server.key"), key, { mode: 0o600 });
}

/**
 * Makes a cluster in the folder without starting it: UTF-8 and ICU en-US, which sorts 'a' before 'B' unlike bytes, so
 * that a text key without COLLATE "C" is noticed; TCP on 127.0.0.1 only; a superuser with a generated password (scram).
 */
export async function makeCluster(
  folder: ServerFolder,
  settings: Settings,
  tls: TlsOptions | undefined,
): Promise<Login> {
  // Contains characters that a URL must encode and a connection string must quote.
  const login = { user: "postgres", password: `${randomBytes(12).toString("hex")}@:/ %'\\` };
  const passwordFile = join(folder.path, "password");
  await writeFile(passwordFile, login.password, { mode: 0o600 });
  await giveAway(folder.path);
  preparePostgres();
  const locale = ["--encoding=UTF8", "--locale=C", "--locale-provider=icu", "--icu-locale=en-US"];
  const access = [`--username=${login.user}`, `--pwfile=${passwordFile}`, "--auth=scram-sha-256"];
  const rest = [`--pgdata=${folder.data}`, "--no-sync", "--no-instructions"];
  await runUnprivileged(programs.initdb, [...locale, ...access, ...rest]);

  if (tls !== undefined) await writeCertificate(folder.data, tls.hosts ?? ["127.0.0.1", "localhost"]);
  const lines = configuration({ ...defaults, ssl: tls !== undefined, ...settings });
  await appendFile(join(folder.data, "postgresql.conf"), lines);
  const kind = tls?.required === true ? "hostssl" : "host";
  const rules = ["all", "replication"].map((what) => `${kind} ${what} all 127.0.0.1/32 scram-sha-256\n`);
  await writeFile(join(folder.data, "pg_hba.conf"), rules.join(""));
  await giveAway(folder.path);
  return login;
}
