import { Socket } from "node:net";
import { Pool, type PoolClient } from "pg";
import { configOf } from "./connect.ts";
import { failureOf, unavailable } from "./failure.ts";
import { feelPulse } from "./pulse.ts";
import type { Tls } from "./tls.ts";
import type { Address, PostgresSettings } from "./url.ts";

/** How many statements may wait for a connection; one more is refused at once, so that a slow database shows. */
const MOST_WAITING = 1000;
/** How long a connection is kept that nobody needs, and how long at all, in milliseconds. */
const IDLE = 5 * 60_000;
const LIFETIME = 60 * 60_000;

/**
 * What the sessions of requests are set to. Every statement of a page is made to go from one index to the next, in the
 * order in which it names its tables; the planner guesses how many contents lie above another and, where it takes them
 * for many, reads the whole table.
 */
export const SESSION = [
  "SET idle_in_transaction_session_timeout = 60000",
  "SET jit = off",
  "SET join_collapse_limit = 1",
  ...["seqscan", "bitmapscan", "hashjoin", "mergejoin"].map((way) => `SET enable_${way} = off`),
].join("; ");

/** Connections to one server, for statements of requests. They are made when they are needed. */
export class HostPool {
  readonly #settings: PostgresSettings;
  readonly #address: Address;
  readonly #sockets = new Set<Socket>();
  #pool: Pool | undefined;
  #way: Tls[number] | undefined;
  /** The server that these connections are to, as pulses number it. */
  #server: number | undefined;

  constructor(settings: PostgresSettings, address: Address) {
    this.#settings = settings;
    this.#address = address;
  }

  /** Says which server answers at the address and in which way; connections to another one are given up. */
  aim(server: number, way: Tls[number]): void {
    if (server !== this.#server) this.drop();
    this.#server = server;
    if (this.#pool !== undefined && way === this.#way) return;
    this.#way = way;
    void this.#pool?.end();
    this.#pool = this.#makePool(way);
  }

  /** Whether one more statement would have to wait for a connection. */
  get busy(): boolean {
    return (this.#pool?.waitingCount ?? 0) > 0;
  }

  /**
   * Runs `work` on a connection that nobody else uses meanwhile. Rejects with the driver's error, or with an ApiError
   * where too many are waiting.
   */
  async use<T>(work: (client: PoolClient) => Promise<T>): Promise<T> {
    const pool = this.#pool;
    if (pool === undefined || pool.waitingCount > MOST_WAITING) throw unavailable();
    const client = await pool.connect();
    try {
      const result = await work(client);
      client.release();
      return result;
    } catch (error) {
      client.release(failureOf(error) !== "other");
      throw error;
    }
  }

  /** Ends all connections at once; what runs on them rejects. New ones are made when they are needed. */
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
      // The server cancels first; this is for one that does not answer at all.
      query_timeout: statementTimeout + 2000,
      idleTimeoutMillis: IDLE,
      maxLifetimeSeconds: LIFETIME / 1000,
      stream: () => this.#socket(),
      onConnect: async (client) => {
        await client.query(`SET statement_timeout = ${statementTimeout}; ${SESSION}`);
        const { server } = await feelPulse(client, undefined);
        if (server !== this.#server) throw new Error("another server answers at this address");
      },
    });
    // Errors reach those who wait for an answer; the pool itself throws ended connections away.
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
