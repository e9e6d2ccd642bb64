/**
 * The PostgreSQL server at the address of a URL, as one process sees it: which server answers, what it has published,
 * and until when that is trusted. Another server may take over the address at any time.
 */
import { unavailable } from "../../../domain/error.ts";
import { limit } from "../../limit.ts";
import { NoticedChanges } from "../marks.ts";
import { failureOf, isSilence, reasonText } from "./connection.ts";
import { type DatabaseSession, SharedPool, connect, askServer } from "./pool.ts";
import type { PostgresSettings } from "./url.ts";
import type { ClientBase, PoolClient } from "pg";

/**
 * How long an answer is trusted, in milliseconds. Writers wait as long after committing (see `transaction` in
 * engine.ts), so that no request is answered from an earlier state.
 */
export const LEASE = limit("postgres.lease", 50);
/**
 * How long an answer may take, in milliseconds, before its connection is suspected to be dead without a sign: the
 * session that asks for changes is then replaced, and a statement of a request makes it ask.
 */
const PATIENCE = 1000;
/** The maximum number of attempts at a statement whose connection is lost. */
const TRIES = 4;

export class Server {
  readonly settings: PostgresSettings;
  readonly changes = new NoticedChanges();
  readonly #note: (message: string) => void;
  readonly #pool: SharedPool;
  readonly #closing = new AbortController();
  /** Asks for changes. It is no connection of the pool, so that slow statements delay no cached answer. */
  #session: DatabaseSession | undefined;
  #asking: Promise<void> | undefined;
  /** Why the last attempt to ask failed; `undefined` if it did not. */
  #lost: unknown;
  /** The server that answered last, as in the answer of {@link askServer}. */
  #identity: number | undefined;
  #history = 0;
  /** The start of the last question that was answered, by `performance.now()`: earlier commits are known. */
  #seenAt = -Infinity;
  /** What was answered before this time may lack a change. */
  #doubtedAt = -Infinity;

  /** `note` receives a message when the server stops answering, and when it answers again. */
  constructor(settings: PostgresSettings, note: (message: string) => void) {
    this.settings = settings;
    this.#note = note;
    this.#pool = new SharedPool(settings, (client) => this.#identify(client));
  }

  /** Asks for the first time. Rejects with the driver's error. */
  open(): Promise<void> {
    return this.#ask();
  }

  /** See {@link Engine.version}. */
  version(): number | Promise<number> {
    const now = performance.now();
    if (!this.#isTrusted(now)) return this.#askedSince(now);
    // Under load, requests need not wait for the next answer, because it is there before this one is out of date.
    if (now - this.#seenAt > LEASE / 2) this.#ask().catch(() => {});
    return this.changes.version;
  }

  /** See {@link Reader.history}. Changes before anything is read from another server than before. */
  get history(): number {
    return this.#history;
  }

  /** Whether another statement would have to wait for a connection. */
  get busy(): boolean {
    return this.#pool.busy;
  }

  /** Makes the next request wait for a new answer. Call it after this process has committed a change. */
  doubt(): void {
    this.#doubtedAt = performance.now();
  }

  /**
   * Runs `work` on a connection of the pool, once. See {@link SharedPool.use} for `generation`. Rejects with the
   * driver's error.
   */
  use<T>(work: (client: PoolClient) => Promise<T>, generation?: number): Promise<T> {
    return this.#pool.use(work, generation);
  }

  /**
   * Runs work that only reads, anew on another connection if its connection is lost. Rejects with an ApiError, also if
   * another server takes over meanwhile: what the caller knows of the one before must not be combined with the result.
   */
  async read<T>(work: (client: PoolClient) => Promise<T>, generation?: number): Promise<T> {
    const history = this.#history;
    if (this.#lost !== undefined) await this.#askedSince(performance.now());
    for (let tries = 1; ; tries++) {
      // Perhaps nobody answers any more. The question then ends all connections, long before the statement's time limit.
      const late = setTimeout(() => void this.#ask().catch(() => {}), PATIENCE);
      try {
        const result = await this.use(work, generation);
        if (history === this.#history) return result;
      } catch (error) {
        const failure = failureOf(error);
        if (failure === "other") throw error;
        if (failure === "refused" || tries === TRIES) throw unavailable(error);
        await this.#askedSince(performance.now());
      } finally {
        clearTimeout(late);
      }
      if (history !== this.#history) throw unavailable();
    }
  }

  /** Opens a session outside the pool, for long work. Rejects with the driver's error. */
  async session(purpose: string): Promise<DatabaseSession> {
    const session = await connect(this.settings, { purpose, statement: 0 });
    try {
      await this.#identify(session.client);
      return session;
    } catch (error) {
      session.destroy();
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#closing.abort();
    await this.#session?.end();
    await this.#pool.close();
    await this.#asking?.catch(() => {});
  }

  #isTrusted(now: number): boolean {
    return this.#seenAt > this.#doubtedAt && now - this.#seenAt < LEASE;
  }

  /** Resolves with the version when a question that began at `since` or later is answered, or one that is trusted. */
  async #askedSince(since: number): Promise<number> {
    do {
      const asking = this.#ask();
      try {
        // A server that answered nothing for as long as it may is asked again, but nobody waits for it.
        if (isSilence(this.#lost)) throw this.#lost;
        await asking;
      } catch (error) {
        asking.catch(() => {});
        throw failureOf(error) === "other" ? error : unavailable(error);
      }
    } while (this.#seenAt < Math.max(since, this.#doubtedAt) && !this.#isTrusted(performance.now()));
    return this.changes.version;
  }

  /** Asks the server, or joins the question that is under way. */
  #ask(): Promise<void> {
    return (this.#asking ??= this.#answered().finally(() => (this.#asking = undefined)));
  }

  async #answered(): Promise<void> {
    for (;;) {
      const isOld = this.#session !== undefined;
      try {
        await this.#question(isOld ? PATIENCE : undefined);
        if (this.#lost !== undefined) this.#note(`${this.settings.name} answers again.`);
        this.#lost = undefined;
        return;
      } catch (error) {
        this.#session?.destroy();
        this.#session = undefined;
        if (this.#closing.signal.aborted) throw error;
        // A session can end while the server is available. It is lost only if a new session fails, too.
        if (isOld && failureOf(error) === "lost") continue;
        this.#pool.drop();
        if (this.#lost === undefined && this.#identity !== undefined) {
          this.#note(`${this.settings.name} does not answer: ${reasonText(error)}.`);
        }
        this.#lost = error;
        throw error;
      }
    }
  }

  /** `patience` is the time limit in milliseconds; without it, an answer may take as long as a connection. */
  async #question(patience?: number): Promise<void> {
    const manner = { purpose: "changes", statement: this.settings.connectTimeout };
    const session = (this.#session ??= await connect(this.settings, manner, this.#closing.signal));
    const at = performance.now();
    const answer = await askServer(session.client, this.changes.revision, patience);
    this.#meet(answer.server);
    this.#pool.aim(session.tls);
    const { after, organizations } = answer.published;
    this.changes.see(answer, (known) => (after !== undefined && after <= known ? organizations : undefined));
    this.#seenAt = at;
  }

  async #identify(client: ClientBase): Promise<void> {
    const { server } = await askServer(client);
    this.#meet(server);
  }

  /**
   * If another server has taken over, forgets what was read from the one before, and closes all connections: it may lack
   * changes that the previous one had, and assign their revision numbers again.
   */
  #meet(server: number): void {
    const known = this.#identity;
    this.#identity = server;
    if (known === undefined || known === server) return;
    this.#note(
      `${this.settings.name} was restarted, or another server has taken over; everything is read again.`,
    );
    this.#history++;
    this.changes.doubt();
    this.doubt();
    this.#session?.destroy();
    this.#session = undefined;
    this.#pool.drop();
  }
}
