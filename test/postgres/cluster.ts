import { randomBytes } from "node:crypto";
import { appendFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { preparePostgres, programs } from "../parts/postgres.ts";
import { selfSigned } from "./certificate.ts";
import type { ServerFolder } from "./folder.ts";
import { giveAway, runUnprivileged } from "./identity.ts";

/** Values of postgresql.conf by name. */
export type Settings = Readonly<Record<string, string | number | boolean>>;

/** How a server offers TLS, with a self-signed certificate of its own. */
export interface TlsOptions {
  /** Refuse connections without TLS; by default both are taken. */
  readonly required?: boolean;
  /** The names in the certificate, by default 127.0.0.1 and localhost; another host makes one that does not match. */
  readonly hosts?: readonly string[];
}

/** A role's name and password. */
export interface Login {
  readonly user: string;
  readonly password: string;
}

/** The file in the cluster that clients give as `sslrootcert`. */
export const certificateName = "server.crt";

/** What a server of ours is set to: quick and safe for tests, and unlike what a developer has by chance. */
const defaults: Settings = {
  listen_addresses: "127.0.0.1",
  unix_socket_directories: "",
  // Nothing here need survive the machine; a killed server loses nothing by it.
  fsync: false,
  // In the data folder, so that a killed server leaves nothing in the system's shared memory.
  dynamic_shared_memory_type: "mmap",
  // Not UTC, so that a date which depends on the server's zone shows.
  timezone: "Asia/Kathmandu",
  // A standby that lags behind still finds its log here, and looks for it again soon.
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
 * Makes a cluster in the folder, not started: UTF-8 and ICU en-US, which sorts 'a' before 'B' where bytes do not, so
 * that a text key without COLLATE "C" shows; TCP on 127.0.0.1 only; a superuser with a generated password (scram).
 */
export async function makeCluster(
  folder: ServerFolder,
  settings: Settings,
  tls: TlsOptions | undefined,
): Promise<Login> {
  // With characters that a URL must encode and a connection string must quote.
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
