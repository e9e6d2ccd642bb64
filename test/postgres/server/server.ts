import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Client, escapeIdentifier, type QueryResultRow } from "pg";
import { certificateName, makeCluster, type Login, type Settings, type TlsOptions } from "./cluster.ts";
import { makeFolder, type ServerFolder } from "./folder.ts";
import { freePort } from "./port.ts";
import { postmasterOf, type StopMode } from "./postmaster.ts";

export interface PostgresOptions {
  /** Settings that add to or replace the defaults, such as `{ max_connections: 20 }`. */
  readonly settings?: Settings;
  /** TLS with a self-signed certificate in `certificateFile`. */
  readonly tls?: TlsOptions;
}

/** A real PostgreSQL for one test. `close` or the end of this process stops it and removes its folder. */
export interface PostgresServer extends Login, AsyncDisposable {
  readonly host: "127.0.0.1";
  readonly port: number;
  /** The PEM file that clients use as `sslrootcert`; `undefined` without TLS. */
  readonly certificateFile: string | undefined;
  /** The cluster's folder. */
  readonly data: string;
  /** The URL (`postgres://…`) of a database, by default `postgres`, for the superuser or `login`. */
  url(database?: string, login?: Login): string;
  /** Creates an empty database. Returns its URL. */
  createDatabase(name: string): Promise<string>;
  /** A connected client of the superuser, which the caller must end. */
  connect(database?: string): Promise<Client>;
  /** Runs one statement as superuser over a new connection. Returns the rows. */
  query<Row extends QueryResultRow>(text: string, values?: unknown[], database?: string): Promise<Row[]>;
  /** The id of the process; `undefined` while none runs. */
  pid(): number | undefined;
  /** The server's log. */
  log(): string;
  /** Starts the server again after `stop` or `kill9`, with the same port and data. */
  start(): Promise<void>;
  /**
   * Stops the server and keeps the data; by default at once but cleanly (`fast`). Does nothing if the server does not
   * run.
   */
  stop(mode?: StopMode): Promise<void>;
  /** Kills every process of the server with SIGKILL, as in a crash, and keeps the data. */
  kill9(): Promise<void>;
  /** Suspends the server: it accepts connections but does not answer until `resume`. */
  pause(): void;
  resume(): void;
  /** Promotes a standby. Throws if it is not a standby or does not become a primary within 30 s. */
  promote(): Promise<void>;
  /** Stops the server at once and removes its folder. */
  close(): Promise<void>;
}

/** The server, not started, for the cluster in a folder. */
export function serverIn(folder: ServerFolder, port: number, login: Login, tls: boolean): PostgresServer {
  const host = "127.0.0.1";
  const { user, password } = login;
  const postmaster = postmasterOf(folder, port);

  const server: PostgresServer = {
    host,
    port,
    user,
    password,
    data: folder.data,
    certificateFile: tls ? join(folder.data, certificateName) : undefined,

    url(database = "postgres", as = login) {
      const credentials = [as.user, as.password].map(encodeURIComponent).join(":");
      return `postgres://${credentials}@${host}:${port}/${encodeURIComponent(database)}`;
    },

    async createDatabase(name) {
      await server.query(`CREATE DATABASE ${escapeIdentifier(name)}`);
      return server.url(name);
    },

    async connect(database = "postgres") {
      const ssl = tls ? { rejectUnauthorized: false } : false;
      const client = new Client({
        host,
        port,
        user,
        password,
        database,
        ssl,
        connectionTimeoutMillis: 10_000,
      });
      // A server that is killed during a statement also ends the connection. The error of the statement reports it.
      client.on("error", () => {});
      await client.connect();
      return client;
    },

    async query<Row extends QueryResultRow>(text: string, values: unknown[] = [], database?: string) {
      const client = await server.connect(database);
      try {
        return (await client.query<Row>(text, values)).rows;
      } finally {
        await client.end();
      }
    },

    pid: postmaster.pid,
    log: () => readFileSync(folder.log, "utf8"),
    start: postmaster.start,
    stop: (mode = "fast") => postmaster.stop(mode),
    kill9: postmaster.kill,
    pause: postmaster.pause,
    resume: postmaster.resume,

    async promote() {
      const [row] = await server.query<{ promoted: boolean }>(`SELECT pg_promote(true, 30) AS promoted`);
      if (row?.promoted !== true) throw new Error("the standby was not promoted within 30 s");
    },

    async close() {
      postmaster.resume();
      await postmaster.stop("immediate");
      await folder.remove();
    },

    [Symbol.asyncDispose]: () => server.close(),
  };
  return server;
}

/**
 * Starts a new, empty PostgreSQL 18 in a temporary folder: UTF-8, ICU locale en-US, TCP on 127.0.0.1 only, a generated
 * password (scram-sha-256). Root runs it as another identity. Throws with the end of its log if it does not start.
 */
export async function startPostgres({ settings = {}, tls }: PostgresOptions = {}): Promise<PostgresServer> {
  const folder = await makeFolder();
  try {
    const login = await makeCluster(folder, settings, tls);
    const server = serverIn(folder, await freePort(), login, tls !== undefined);
    await server.start();
    return server;
  } catch (error) {
    await folder.remove();
    throw error;
  }
}
