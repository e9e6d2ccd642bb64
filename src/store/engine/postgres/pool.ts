/**
 * Connections to one PostgreSQL server: sessions of their own for long work, and a pool that requests share, in which
 * no node of a distributed database takes all connections.
 */
import { unavailable } from "../../../domain/error.ts";
import { MARKS, type Marks } from "../marks.ts";
import type { SqlValue } from "../engine.ts";
import { endsConnection, isSilence, isTimeLimit } from "./connection.ts";
import type { PostgresSettings, Tls } from "./url.ts";
import { addAbortListener } from "node:events";
import { Socket } from "node:net";
import { Client, type ClientBase, type ClientConfig, DatabaseError, Pool, type PoolClient, types } from "pg";

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
 * which a statement names them: by default, it may scan a whole table, with the rows of every organization.
 */
export const SESSION = [
  "SET idle_in_transaction_session_timeout = 60000",
  "SET jit = off",
  "SET join_collapse_limit = 1",
  ...["seqscan", "bitmapscan", "hashjoin", "mergejoin"].map((method) => `SET enable_${method} = off`),
].join("; ");

/** The connections that requests share. They are opened on demand. */
export class SharedPool {
  readonly #settings: PostgresSettings;
  readonly #identify: (client: ClientBase) => Promise<void>;
  readonly #sockets = new Set<Socket>();
  readonly #shares: Shares;
  readonly #nodes = new Nodes((work) => this.use(work));
  #pool: Pool | undefined;
  #tls: Tls[number] | undefined;

  /** `identify` is called with each new connection, before its first use. */
  constructor(settings: PostgresSettings, identify: (client: ClientBase) => Promise<void>) {
    this.#settings = settings;
    this.#identify = identify;
    this.#shares = new Shares(settings.poolSize, settings.connectTimeout);
  }

  /** Sets the TLS options that work. Call it before the first {@link use}. */
  aim(tls: Tls[number]): void {
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
    } while (isSilence(broken));
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
      ...configOf(this.#settings, tls),
      max: poolSize,
      connectionTimeoutMillis: connectTimeout,
      // Applies to a server that does not answer at all. The server's own time limit is 2 s shorter.
      query_timeout: statementTimeout + 2000,
      idleTimeoutMillis: IDLE,
      maxLifetimeSeconds: LIFETIME / 1000,
      stream: () => this.#socket(),
      onConnect: async (client) => {
        await client.query(`SET statement_timeout = ${statementTimeout}; ${SESSION}`);
        await this.#identify(client);
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

/** The time limit for closing a session, in milliseconds. A server that hangs never confirms the end. */
const FAREWELL = 500;

/** A database session that belongs to no pool. */
export interface DatabaseSession extends AsyncDisposable {
  readonly client: Client;
  /** The entry of `settings.tls` with which the session was opened. */
  readonly tls: Tls[number];
  /** Ends the session at once; running statements reject. */
  destroy(): void;
  /** Ends the session in order, or after {@link FAREWELL} by force. */
  end(): Promise<void>;
}

function configOf(settings: PostgresSettings, tls: Tls[number]): ClientConfig {
  return {
    host: settings.host,
    port: settings.port,
    user: settings.user,
    password: settings.password,
    database: settings.database,
    application_name: settings.applicationName,
    options: settings.options,
    ssl: tls,
    types: TYPES,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  };
}

/** What a session is for. */
interface Manner {
  /** Shown in the server's list of sessions, after the program's name. */
  readonly purpose: string;
  /** The time limit of each statement, in milliseconds; 0 for none. */
  readonly statement: number;
}

/**
 * Opens a session with the first entry of `settings.tls` that works. `signal` cancels the attempt. Rejects with the
 * driver's error.
 */
export async function connect(
  settings: PostgresSettings,
  { purpose, statement }: Manner,
  signal?: AbortSignal,
): Promise<DatabaseSession> {
  let failure: unknown;
  for (const tls of settings.tls) {
    const socket = new Socket();
    const client = new Client({
      ...configOf(settings, tls),
      application_name: `${settings.applicationName} ${purpose}`,
      connectionTimeoutMillis: settings.connectTimeout,
      query_timeout: statement,
      stream: () => socket,
    });
    // Running statements report the error. Without a listener for `error`, Node would end the process.
    client.on("error", () => {});
    const listener = signal && addAbortListener(signal, () => socket.destroy());
    try {
      await client.connect();
      return sessionOf(client, socket, tls);
    } catch (error) {
      socket.destroy();
      // A server's own error explains more than a failed TLS handshake, and that there is no TLS explains nothing.
      if (failure === undefined || error instanceof DatabaseError || isWithoutTls(failure)) failure = error;
      if (isUnreachable(error)) break;
    } finally {
      listener?.[Symbol.dispose]();
    }
  }
  throw failure;
}

function sessionOf(client: Client, socket: Socket, tls: Tls[number]): DatabaseSession {
  const end = async () => {
    const late = setTimeout(() => socket.destroy(), FAREWELL);
    await client.end();
    clearTimeout(late);
  };
  return { client, tls, destroy: () => socket.destroy(), end, [Symbol.asyncDispose]: end };
}

function isWithoutTls(error: unknown): boolean {
  return error instanceof Error && error.message === "The server does not support SSL connections";
}

/** Whether the error means that no server was reached. If so, the other entries of `settings.tls` fail too. */
function isUnreachable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isUnreachable);
  if (!(error instanceof Error)) return false;
  if (isSilence(error)) return true;
  return (
    "code" in error &&
    ["ECONNREFUSED", "ENOTFOUND", "EHOSTUNREACH", "ENETUNREACH"].includes(String(error.code))
  );
}

const NUMBERS: readonly number[] = [
  types.builtins.INT2,
  types.builtins.INT4,
  types.builtins.INT8,
  types.builtins.NUMERIC,
];

/** Parses integers and numerics as numbers (all are below 2^53 here), `bytea` as bytes, and everything else as text. */
const TYPES = {
  getTypeParser(oid: number): (text: string) => string | number | Uint8Array {
    if (oid === types.builtins.BYTEA) return (text) => Buffer.from(text.slice(2), "hex");
    return NUMBERS.includes(oid) ? Number : String;
  },
};

/** How long a known node is trusted, in milliseconds: an operator may move rows to another node. */
const TRUSTED = 60_000;

/** Whether the server is the coordinator of a distributed PostgreSQL (Citus): 1 or 0. */
export const IS_DISTRIBUTED = `SELECT CAST(to_regclass('pg_dist_placement') IS NOT NULL AS int)`;
const NODE = `
  SELECT p.groupid FROM pg_dist_placement p
    WHERE p.shardid = get_shard_id_for_distribution_column('revision_row', CAST($1 AS bigint))`;

/** The nodes of a distributed PostgreSQL (Citus) with the rows of generations, as its coordinator names them. */
class Nodes {
  readonly #use: <T>(work: (client: ClientBase) => Promise<T>) => Promise<T>;
  readonly #known = new Map<number, { readonly node: string; readonly until: number }>();
  readonly #asking = new Set<number>();
  #isDistributed: boolean | undefined;

  constructor(use: <T>(work: (client: ClientBase) => Promise<T>) => Promise<T>) {
    this.#use = use;
  }

  /**
   * The node with the rows of a generation. Never waits: until the node is known, and on a single server, each
   * generation counts as a node of its own.
   */
  of(generation: number): string {
    if (this.#isDistributed === false) return `generation ${generation}`;
    const known = this.#known.get(generation);
    if (known === undefined || known.until < performance.now()) void this.#ask(generation);
    return known?.node ?? `generation ${generation}`;
  }

  async #ask(generation: number): Promise<void> {
    if (this.#asking.has(generation)) return;
    this.#asking.add(generation);
    try {
      this.#isDistributed ??= (await this.#use((client) => firstOf(client, IS_DISTRIBUTED))) === 1;
      if (!this.#isDistributed) return;
      const node = await this.#use((client) => firstOf(client, NODE, [generation]));
      this.#known.set(generation, { node: `node ${node}`, until: performance.now() + TRUSTED });
    } catch {
      // The next statement of the generation asks again.
    } finally {
      this.#asking.delete(generation);
    }
  }
}

async function firstOf(client: ClientBase, text: string, values: unknown[] = []): Promise<unknown> {
  const { rows } = await client.query<unknown[]>({ text, values, rowMode: "array" });
  return rows[0]?.[0];
}

/** What a server answers to the question which one it is, and what it has published. */
interface Answer extends Marks {
  /**
   * The start time of the server's process in microseconds. A server with the same start time has not returned to an
   * earlier state.
   */
  readonly server: number;
  /** The organizations with revisions after `after`, the latest revision that this process had read. */
  readonly published: { readonly after: number | undefined; readonly organizations: readonly string[] };
}

const QUESTION = `
  SELECT CAST(extract(epoch FROM pg_postmaster_start_time()) * 1000000 AS bigint),
         ${MARKS},
         (SELECT string_agg(DISTINCT organization, ' ') FROM revision WHERE revision > $1)`;

/**
 * Asks a server. The answer includes everything that was committed before the call. `after` is the latest revision that
 * this process has read; `query_timeout` a time limit in milliseconds, if it is another than the session's.
 */
export async function askServer(client: ClientBase, after?: number, query_timeout?: number): Promise<Answer> {
  const values = [after ?? null];
  const query = {
    name: "rolebook_changes",
    text: QUESTION,
    values,
    rowMode: "array",
    query_timeout,
  } as const;
  const { rows } = await client.query<SqlValue[]>(query);
  const [server, change, reset, revision, published] = rows[0] ?? [];
  const organizations = published === null ? [] : String(published).split(" ");
  return {
    server: Number(server),
    change: Number(change),
    reset: Number(reset),
    revision: Number(revision),
    published: { after, organizations },
  };
}

/**
 * The first keys of this program's advisory locks. The second key is the id of a table, so that each schema of each
 * database has its own locks.
 */
const LOCKS = { importing: 1_919_904_866, migrating: 1_919_904_867 } as const;

/**
 * The two keys of an advisory lock, as SQL. The lock `migrating` covers the whole database, because no table may exist
 * yet.
 */
export function lockOf(lock: keyof typeof LOCKS): string {
  return `${LOCKS[lock]}, ${lock === "migrating" ? "0" : "CAST(CAST('counter' AS regclass) AS oid)::int"}`;
}

/** The maximum number of statements of one node that wait for its share. */
const MOST_WAITING_FOR_SHARE = 1000;

interface Share {
  readonly most: number;
  held: number;
  /** Callbacks in the order of arrival. A call lets one waiting statement run. */
  readonly waiting: Set<() => void>;
}

/** A statement's part of a share, from {@link Shares.enter}. Call {@link leave} once. */
export interface Place {
  /** Call it when the node has answered. */
  answered(): void;
  /** Call it when a statement has exceeded its time limit. */
  late(): void;
  leave(): void;
}

/**
 * Limits how many connections of a pool one node uses, so that other nodes still get connections if it is slow or
 * unavailable: four fifths, rounded down, and at least one. All nodes of which a statement exceeded its time limit share
 * a quarter, until a statement of theirs is answered.
 */
export class Shares {
  readonly #most: number;
  readonly #late: Share;
  readonly #patience: number;
  readonly #shares = new Map<string, Share>();
  readonly #lateNodes = new Set<string>();

  /** `size` is the pool's size; `patience` is the longest wait for a connection, in milliseconds. */
  constructor(size: number, patience: number) {
    this.#most = Math.max(1, size - Math.ceil(size / 5));
    this.#late = { most: Math.max(1, Math.floor(size / 4)), held: 0, waiting: new Set() };
    this.#patience = patience;
  }

  /**
   * Resolves when another statement of a node may run. Rejects with an ApiError if the share stays in use for too long
   * or too many statements wait.
   */
  async enter(node: string): Promise<Place> {
    for (;;) {
      const share = this.#shareOf(node);
      if (share.held < share.most) share.held++;
      else await this.#wait(share);
      // The node may have been late, or may have answered, meanwhile.
      if (share === this.#shareOf(node)) return this.#placeIn(share, node);
      this.#leave(share, node);
    }
  }

  #placeIn(share: Share, node: string): Place {
    return {
      answered: () => void this.#lateNodes.delete(node),
      late: () => void this.#lateNodes.add(node),
      leave: () => this.#leave(share, node),
    };
  }

  #shareOf(node: string): Share {
    if (this.#lateNodes.has(node)) return this.#late;
    let share = this.#shares.get(node);
    if (share === undefined) {
      share = { most: this.#most, held: 0, waiting: new Set() };
      this.#shares.set(node, share);
    }
    return share;
  }

  #leave(share: Share, node: string): void {
    const [next] = share.waiting;
    if (next !== undefined) next();
    else if (--share.held === 0 && share !== this.#late && this.#shares.get(node) === share) {
      this.#shares.delete(node);
    }
  }

  #wait({ waiting }: Share): Promise<void> {
    if (waiting.size >= MOST_WAITING_FOR_SHARE) throw unavailable();
    const { promise, resolve, reject } = Promise.withResolvers<void>();
    const late = setTimeout(() => {
      waiting.delete(next);
      reject(unavailable());
    }, this.#patience);
    const next = () => {
      clearTimeout(late);
      waiting.delete(next);
      resolve();
    };
    waiting.add(next);
    return promise;
  }
}
