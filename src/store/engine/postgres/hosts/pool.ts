import { unavailable } from "../../../../domain/error.ts";
import { Socket } from "node:net";
import { Pool, type PoolClient } from "pg";
import { configOf } from "../connect/connect.ts";
import { endsConnection, isDriverTimeout, isTimeLimit } from "../failure.ts";
import { Nodes } from "./nodes.ts";
import { probeServer } from "./probe.ts";
import { type Place, Shares } from "./shares.ts";
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
  readonly #nodes = new Nodes((work) => this.use(work));
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
   * Runs `work` on a connection. Work on one `generation` uses at most the share of the node with its rows; see
   * {@link Shares}. Rejects with the driver's error, or with an ApiError if too many statements wait.
   */
  async use<T>(work: (client: PoolClient) => Promise<T>, generation?: number): Promise<T> {
    const place = generation === undefined ? undefined : await this.#shares.enter(this.#nodes.of(generation));
    let aborting: Promise<void> | undefined;
    try {
      const result = await this.#use(work, (aborted) => (aborting = aborted));
      place?.answered();
      return result;
    } catch (error) {
      if (aborting !== undefined) place?.late();
      throw error;
    } finally {
      if (place !== undefined) void leave(place, aborting);
    }
  }

  /** `late` is called if the server ended a statement at its time limit, with when the connection is free again. */
  async #use<T>(
    work: (client: PoolClient) => Promise<T>,
    late: (aborted: Promise<void>) => void,
  ): Promise<T> {
    const pool = this.#pool;
    if (pool === undefined || pool.waitingCount > MOST_WAITING) throw unavailable();
    const client = await pool.connect();
    try {
      const result = await work(client);
      client.release();
      return result;
    } catch (error) {
      if (isTimeLimit(error)) late(this.#setAside(pool, client));
      else client.release(endsConnection(error));
      throw error;
    }
  }

  /**
   * Gives no statement to a connection until the server has aborted the last one: a coordinator reports the time limit
   * first, and then waits for the node in vain. Meanwhile, the pool may open another connection.
   */
  async #setAside(pool: Pool, client: PoolClient): Promise<void> {
    pool.options.max = (pool.options.max ?? 0) + 1;
    let broken: unknown;
    do {
      broken = await client.query("").then(
        () => undefined,
        (error: unknown) => error,
      );
    } while (isDriverTimeout(broken));
    pool.options.max--;
    client.release(broken !== undefined);
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

async function leave(place: Place, aborting: Promise<void> | undefined): Promise<void> {
  await aborting;
  place.leave();
}
