import { execFile } from "node:child_process";
import { randomBytes } from "node:crypto";
import { appendFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { preparePostgres, programs } from "../../parts/postgres.ts";
import { selfSigned } from "./certificate.ts";
import type { ServerFolder } from "./folder.ts";
import { giveAway, runUnprivileged } from "./identity.ts";

/** Values for postgresql.conf, by name. */
export type Settings = Readonly<Record<string, string | number | boolean>>;

/** TLS options of a server, with its own self-signed certificate. */
export interface TlsOptions {
  /** Whether to refuse connections without TLS. By default, both kinds are accepted. */
  readonly required?: boolean;
  /**
   * The names in the certificate; by default 127.0.0.1 and localhost. With other names, the certificate does not match
   * the server.
   */
  readonly hosts?: readonly string[];
}

/** The name and password of a database role. */
export interface Login {
  readonly user: string;
  readonly password: string;
}

/** The file in the cluster's folder that clients use as `sslrootcert`. */
export const certificateName = "server.crt";

/** The settings of test servers. They are fast, and unlike a developer's usual settings where that reveals mistakes. */
const defaults: Settings = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  // Data need not survive a crash of the machine. A killed server loses nothing.
  fsync: false,
  full_page_writes: false,
  // Shared memory is in the data folder, so that a killed server leaves nothing behind.
  dynamic_shared_memory_type: "mmap",
  // A time zone other than UTC, so that a date that depends on the server's zone is noticed.
  timezone: "Asia/Kathmandu",
  // A standby that is behind still finds the log that it needs, and retries soon.
  wal_keep_size: "512MB",
  wal_retrieve_retry_interval: "100ms",
};

/** Formats lines for postgresql.conf. If a setting occurs twice, PostgreSQL uses the last line. */
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
 * Makes a cluster in the folder without starting it: UTF-8, TCP on 127.0.0.1 only, and a superuser with a generated
 * password (scram). Its locale is ICU en-US, which sorts 'a' before 'B', unlike bytes, so that a text key without
 * COLLATE "C" is noticed.
 */
export async function makeCluster(
  folder: ServerFolder,
  settings: Settings,
  tls: TlsOptions | undefined,
): Promise<Login> {
  // The password has characters that a URL must encode and a connection string must quote.
  const login = { user: "postgres", password: `${randomBytes(12).toString("hex")}@:/ %'\\` };
  const passwordFile = join(folder.path, "password");
  await writeFile(passwordFile, login.password, { mode: 0o600 });
  await giveAway(folder.path);
  preparePostgres();
  const { stdout: version } = await promisify(execFile)(programs.initdb, ["--version"]);
  // PostgreSQL 14 has no locales of ICU for a database.
  const icu = version.includes(" 14.") ? [] : ["--locale-provider=icu", "--icu-locale=en-US"];
  const locale = ["--encoding=UTF8", "--locale=C", ...icu];
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
