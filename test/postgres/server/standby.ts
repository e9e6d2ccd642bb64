import { createReadStream } from "node:fs";
import { appendFile, mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { until } from "../../setup/until.ts";
import { configuration } from "./cluster.ts";
import { makeFolder } from "./folder.ts";
import { giveAway } from "./identity.ts";
import { freePort } from "./port.ts";
import { serverIn, type PostgresServer } from "./server.ts";

/** Larger files, in bytes, are not read in one piece. */
const LARGE = 32 * 1024 * 1024;

/**
 * What a base backup leaves out: files of the primary's process, and the content of folders that is recreated or
 * streamed.
 */
const LEFT_FILES = new Set(["postmaster.pid", "postmaster.opts", "standby.signal"]);
const LEFT_CONTENTS = new Set([
  "pg_wal",
  "pg_dynshmem",
  "pg_notify",
  "pg_replslot",
  "pg_serial",
  "pg_snapshots",
  "pg_stat_tmp",
  "pg_subtrans",
]);

/**
 * Copies one file by reading and writing it, because files copied by copy_file_range are slow to remove. A file may
 * disappear meanwhile; recovery does not need it.
 */
async function copy(source: string, target: string): Promise<void> {
  try {
    const content = (await stat(source)).size > LARGE ? createReadStream(source) : await readFile(source);
    await writeFile(target, content, { mode: 0o600 });
  } catch (error) {
    if (!(error instanceof Error && "code" in error && error.code === "ENOENT")) throw error;
    await rm(target, { force: true });
  }
}

/** Copies a cluster that is in use. */
async function copyCluster(from: string, to: string, top = true): Promise<void> {
  await mkdir(to, { mode: 0o700 });
  const entries = await readdir(from, { withFileTypes: true });
  await Promise.all(
    entries.map((entry) => {
      const [source, target] = [join(from, entry.name), join(to, entry.name)];
      const left = top && (LEFT_FILES.has(entry.name) || LEFT_CONTENTS.has(entry.name));
      if (!entry.isDirectory()) return left ? undefined : copy(source, target);
      return left ? mkdir(target, { mode: 0o700 }) : copyCluster(source, target, false);
    }),
  );
}

/** Makes a base backup of a running server in a new folder, as pg_basebackup does. */
async function baseBackup(primary: PostgresServer, data: string): Promise<void> {
  const client = await primary.connect();
  try {
    // The backup ends with the connection that began it, so both statements use one connection.
    await client.query(`SELECT pg_backup_start('standby', fast => true)`);
    await copyCluster(primary.data, data);
    const stopped = await client.query<{ labelfile: string }>(
      `SELECT labelfile FROM pg_backup_stop(wait_for_archive => false)`,
    );
    await writeFile(join(data, "backup_label"), stopped.rows[0]?.labelfile ?? "");
  } finally {
    await client.end();
  }
}

/** The value of primary_conninfo, a libpq connection string with quoted values. */
function connection(primary: PostgresServer, name: string): string {
  const values = {
    host: primary.host,
    port: primary.port,
    user: primary.user,
    password: primary.password,
    application_name: name,
  };
  return Object.entries(values)
    .map(([key, value]) => `${key}='${String(value).replaceAll(/['\\]/g, "\\$&")}'`)
    .join(" ");
}

/**
 * Starts a hot standby that follows `primary` by asynchronous streaming replication, with the roles, passwords and
 * certificate of the primary. Resolves when the standby answers queries. `promote()` makes it a primary. A standby can
 * have standbys.
 */
export async function startStandby(primary: PostgresServer): Promise<PostgresServer> {
  const folder = await makeFolder();
  try {
    const port = await freePort();
    await baseBackup(primary, folder.data);
    const settings = configuration({ primary_conninfo: connection(primary, `standby_${port}`) });
    await appendFile(join(folder.data, "postgresql.conf"), settings);
    await writeFile(join(folder.data, "standby.signal"), "");
    await giveAway(folder.path);
    const server = serverIn(folder, port, primary, primary.certificateFile !== undefined);
    await server.start();
    return server;
  } catch (error) {
    await folder.remove();
    throw error;
  }
}

/** Waits until `standby` has everything that `primary` has committed. */
export async function caughtUp(standby: PostgresServer, primary: PostgresServer): Promise<void> {
  const [written] = await primary.query<{ at: string }>(
    `SELECT CASE WHEN pg_is_in_recovery() THEN pg_last_wal_replay_lsn() ELSE pg_current_wal_lsn() END::text AS at`,
  );
  await until("the standby has caught up", async () => {
    const [row] = await standby.query<{ done: boolean }>(
      `SELECT pg_last_wal_replay_lsn() >= $1::pg_lsn AS done`,
      [written?.at],
    );
    return row?.done === true;
  });
}
