import { setTimeout as sleep } from "node:timers/promises";
import type { PoolClient } from "pg";
import { connect, type Session } from "../connect/connect.ts";
import { isDriverTimeout } from "../failure.ts";
import { HostPool } from "./pool.ts";
import { CHANNEL, probeServer, type Probe } from "./probe.ts";
import { type Address, addressText, type PostgresSettings } from "../connect/url.ts";

/** The interval between two probes, in milliseconds. */
const EVERY = 50;
/** The delay before the next attempt to reach a lost server, in milliseconds. */
const AGAIN = 150;
/** The time limit of a probe, in milliseconds. A server that exceeds it counts as lost. */
const PATIENCE = 2000;

/** The last probe of a server that answers. */
export interface Health extends Probe {
  /** The start of the probe, by `performance.now()`. The probe saw everything that was committed before. */
  readonly seenAt: number;
}

/**
 * One server address of the URL. A separate session probes the server repeatedly: whether it answers, whether it is a
 * standby, and its last change. A notification of a change starts the next probe at once.
 */
export class Host {
  readonly address: Address;
  readonly #settings: PostgresSettings;
  readonly #known: () => number | undefined;
  readonly #changed: () => void;
  readonly #pool: HostPool;
  readonly #closing = new AbortController();
  #health: Health | undefined;
  #session: Session | undefined;
  #why: unknown;
  #watching: Promise<void> | undefined;
  #rest = new AbortController();
  #woken = false;
  #concluded = Promise.withResolvers<void>();

  /**
   * `known` returns the latest revision that this process has read. `changed` is called after each change of `health`.
   */
  constructor(
    settings: PostgresSettings,
    address: Address,
    known: () => number | undefined,
    changed: () => void,
  ) {
    this.#settings = settings;
    this.address = address;
    this.#known = known;
    this.#changed = changed;
    this.#pool = new HostPool(settings, address);
  }

  /** The last probe of the server; `undefined` while the server cannot be reached. */
  get health(): Health | undefined {
    return this.#health;
  }

  /** The error because of which `health` is `undefined`. */
  get reason(): unknown {
    return this.#why;
  }

  get name(): string {
    return addressText(this.address);
  }

  start(): void {
    this.#watching ??= this.#watch();
  }

  /** Probes at once. Resolves when the probe, or the attempt to reach the server, has ended. */
  conclude(): Promise<void> {
    const { promise } = this.#concluded;
    this.#wake();
    return promise;
  }

  /** Probes over a connection of the pool. Rejects with the driver's error. */
  async ask(): Promise<void> {
    const at = performance.now();
    const probe = await this.#pool.use((client) => probeServer(client, this.#known()));
    this.#learn(probe, at);
  }

  /** See {@link HostPool.busy}. */
  get busy(): boolean {
    return this.#pool.busy;
  }

  /** See {@link HostPool.use}. */
  use<T>(work: (client: PoolClient) => Promise<T>, generation?: number): Promise<T> {
    return this.#pool.use(work, generation);
  }

  /** Opens a session outside the pool, for long work. */
  session(purpose: string): Promise<Session> {
    const connection = this.#settings.connectTimeout;
    return connect(this.#settings, this.address, { purpose, connection, statement: 0 });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#wake();
    const late = setTimeout(() => this.#session?.destroy(), 500);
    await this.#pool.close();
    await this.#watching;
    clearTimeout(late);
  }

  async #watch(): Promise<void> {
    while (!this.#closing.signal.aborted) {
      try {
        await this.#probe();
      } catch (error) {
        this.#why = error;
        // A session can end while the server is available. The server counts as lost only if a new session fails, too.
        const again = this.#session !== undefined && !isDriverTimeout(error);
        this.#session = undefined;
        if (again) continue;
        this.#lose();
        await this.#pause(AGAIN);
      }
    }
  }

  /** Opens a session, and probes over it until it fails. */
  async #probe(): Promise<void> {
    const connection = Math.min(this.#settings.connectTimeout, PATIENCE);
    const manner = { purpose: "watch", connection, statement: PATIENCE };
    const session = await connect(this.#settings, this.address, manner, this.#closing.signal);
    const { client } = session;
    client.on("notification", () => this.#wake());
    client.on("end", () => this.#wake());
    try {
      let listening = false;
      while (!this.#closing.signal.aborted) {
        this.#woken = false;
        const at = performance.now();
        const probe = await probeServer(client, this.#known());
        this.#session = session;
        this.#pool.aim(probe.server, session.tls);
        this.#learn(probe, at);
        this.#conclude();
        if (!listening && !probe.standby) {
          await client.query(`LISTEN ${CHANNEL}`);
          listening = true;
        }
        await this.#pause(at + EVERY - performance.now());
      }
      await session.end();
    } finally {
      session.destroy();
    }
  }

  #learn(probe: Probe, at: number): void {
    const known = this.#health;
    const same = known?.server === probe.server;
    // Probes can overlap and end in any order. The result of an older probe is ignored.
    if (this.#closing.signal.aborted || (same && known.seenAt > at)) return;
    this.#health = { ...probe, seenAt: at };
    if (!same || known.change !== probe.change || known.standby !== probe.standby) this.#changed();
  }

  #lose(): void {
    this.#pool.drop();
    const known = this.#health !== undefined;
    this.#health = undefined;
    if (known) this.#changed();
    this.#conclude();
  }

  #conclude(): void {
    this.#concluded.resolve();
    this.#concluded = Promise.withResolvers<void>();
  }

  async #pause(milliseconds: number): Promise<void> {
    if (milliseconds > 0 && !this.#woken) {
      this.#rest = new AbortController();
      await sleep(milliseconds, undefined, { signal: this.#rest.signal }).catch(() => {});
    }
    // Clears the wake-up. Otherwise the next pause would end at once, even if the server stays unavailable.
    this.#woken = false;
  }

  #wake(): void {
    this.#woken = true;
    this.#rest.abort();
  }
}
