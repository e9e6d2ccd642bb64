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
 * The number of statements that may wait for a connection. Further ones are refused at once, so that a slow database
 * is noticed.
 */
const MOST_WAITING = 1000;
/** The longest time that a connection may be idle, and the longest time that it is kept, in milliseconds. */
const IDLE = 5 * 60_000;
const LIFETIME = 60 * 60_000;

/**
 * Session settings for requests. They make every statement of a page go from one index to the next, in the order in
 * which it names its tables. Otherwise the planner could overestimate the number of ancestors and read a whole table.
 */
export const SESSION = [
  "SET idle_in_transaction_session_timeout = 60000",
  "SET jit = off",
  "SET join_collapse_limit = 1",
  ...["seqscan", "bitmapscan", "hashjoin", "mergejoin"].map((way) => `SET enable_${way} = off`),
].join("; ");

/** The connections on which requests run their statements at one PostgreSQL server. Opened on demand. */
export class HostPool {
  readonly #settings: PostgresSettings;
  readonly #address: Address;
  readonly #sockets = new Set<Socket>();
  readonly #shares: Shares;
  #pool: Pool | undefined;
  #way: Tls[number] | undefined;
  /** The server behind these connections, by {@link Probe.server}. */
  #server: number | undefined;

  constructor(settings: PostgresSettings, address: Address) {
    this.#settings = settings;
    this.#address = address;
    this.#shares = new Shares(settings.poolSize, settings.connectTimeout);
  }

  /** Sets the server at the address, and how to connect to it. Connections to another server are dropped. */
  aim(server: number, way: Tls[number]): void {
    if (server !== this.#server) this.drop();
    this.#server = server;
    if (this.#pool !== undefined && way === this.#way) return;
    this.#way = way;
    void this.#pool?.end();
    this.#pool = this.#makePool(way);
  }

  /** Whether another statement would have to wait for a connection. */
  get busy(): boolean {
    return (this.#pool?.waitingCount ?? 0) > 0;
  }

  /**
   * Runs `work` on a connection. Rejects with the driver's error, or with an ApiError if too many statements wait. All
   * work on one `generation` uses at most its share of the connections: see {@link Shares}.
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

  /** Ends all connections at once; their running statements reject. New ones are opened on demand. */
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

  #makePool(way: Tls[number]): Pool {
    const { poolSize, connectTimeout, statementTimeout } = this.#settings;
    const pool = new Pool({
      ...configOf(this.#settings, this.#address, way),
      max: poolSize,
      connectionTimeoutMillis: connectTimeout,
      // The server's own limit is shorter. This one is for a server that does not answer at all.
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
    // Callers receive errors from their own statements; the pool discards ended connections itself.
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
