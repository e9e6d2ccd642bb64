import { unavailable } from "../../../../domain/error.ts";
import { Socket } from "node:net";
import { Pool, type PoolClient } from "pg";
import { configOf } from "../connect/connect.ts";
import { endsConnection } from "../failure.ts";
import { probeServer } from "./probe.ts";
import { Shares } from "./shares.ts";
import type { Tls } from "../connect/tls.ts";
import type { Address, PostgresSettings } from "../connect/url.ts";

/**
 * The maximum number of statements that wait for a connection. Further statements are refused at once, so that callers
 * notice a slow database.
 */
const MOST_WAITING = 1000;
/** The maximum idle time and the maximum age of a connection, in milliseconds. */
const IDLE = 5 * 60_000;
const LIFETIME = 60 * 60_000;

/**
 * Session settings for requests. Those for the planner make PostgreSQL use indexes, and join tables in the order in
 * which a statement names them: by default, it may overestimate the number of ancestors and scan a whole table.
 */
export const SESSION = [
  "SET idle_in_transaction_session_timeout = 60000",
  "SET jit = off",
  "SET join_collapse_limit = 1",
  ...["seqscan", "bitmapscan", "hashjoin", "mergejoin"].map((method) => `SET enable_${method} = off`),
].join("; ");

/** The connections to one PostgreSQL server that requests share. They are opened on demand. */
export class HostPool {
  readonly #settings: PostgresSettings;
  readonly #address: Address;
  readonly #sockets = new Set<Socket>();
  readonly #shares: Shares;
  #pool: Pool | undefined;
  #tls: Tls[number] | undefined;
  /** The server behind these connections, as in {@link Probe.server}. */
  #server: number | undefined;

  constructor(settings: PostgresSettings, address: Address) {
    this.#settings = settings;
    this.#address = address;
    this.#shares = new Shares(settings.poolSize, settings.connectTimeout);
  }

  /**
   * Sets the server that answers at the address, and the TLS options that work. Connections to a previous server are
   * closed.
   */
  aim(server: number, tls: Tls[number]): void {
    if (server !== this.#server) this.drop();
    this.#server = server;
    if (this.#pool !== undefined && tls === this.#tls) return;
    this.#tls = tls;
    void this.#pool?.end();
    this.#pool = this.#makePool(tls);
  }

  /** Whether another statement would have to wait for a connection. */
  get busy(): boolean {
    return (this.#pool?.waitingCount ?? 0) > 0;
  }

  /**
   * Runs `work` on a connection. Work on one `generation` uses at most a share of the connections; see {@link Shares}.
   * Rejects with the driver's error, or with an ApiError if too many statements wait.
   */
  use<T>(work: (client: PoolClient) => Promise<T>, generation?: number): Promise<T> {
    return generation === undefined
      ? this.#use(work)
      : this.#shares.within(generation, () => this.#use(work));
  }

  async #use<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const pool = this.#pool;
    if (pool === undefined || pool.waitingCount > MOST_WAITING) throw unavailable();
    const client = await pool.connect();
    try {
      const result = await work(client);
      client.release();
      return result;
    } catch (error) {
      client.release(endsConnection(error));
      throw error;
    }
  }

  /** Closes all connections at once; their running statements reject. Further statements open new connections. */
  drop(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  async close(): Promise<void> {
    const pool = this.#pool;
    this.#pool = undefined;
    if (pool === undefined) return;
    const late = setTimeout(() => this.drop(), 500);
    await pool.end();
    clearTimeout(late);
  }

  #makePool(tls: Tls[number]): Pool {
    const { poolSize, connectTimeout, statementTimeout } = this.#settings;
    const pool = new Pool({
      ...configOf(this.#settings, this.#address, tls),
      max: poolSize,
      connectionTimeoutMillis: connectTimeout,
      // Applies to a server that does not answer at all. The server's own time limit is 2 s shorter.
      query_timeout: statementTimeout + 2000,
      idleTimeoutMillis: IDLE,
      maxLifetimeSeconds: LIFETIME / 1000,
      stream: () => this.#socket(),
      onConnect: async (client) => {
        await client.query(`SET statement_timeout = ${statementTimeout}; ${SESSION}`);
        const { server } = await probeServer(client, undefined);
        if (server !== this.#server) throw new Error("another server answers at this address");
      },
    });
    // Running statements report errors to their callers, and the pool removes ended connections. Without these
    // listeners, Node would end the process.
    pool.on("error", () => {});
    pool.on("connect", (client) => client.on("error", () => {}));
    return pool;
  }

  #socket(): Socket {
    const socket = new Socket();
    this.#sockets.add(socket);
    socket.once("close", () => this.#sockets.delete(socket));
    return socket;
  }
}
