/**
 * The servers of a PostgreSQL URL as one database. Each server is probed all the time: whether it answers, whether it
 * is a standby, and its last change. From these probes follow where to read, where to write, and whether cached answers
 * are current.
 */
import { CommandError, unavailable } from "../../../domain/error.ts";
import { limit } from "../../../sets/limit.ts";
import { NoticedChanges } from "../marks.ts";
import { failureOf, isDriverTimeout, isWithoutTables, reasonText, wrongSchema } from "./connection.ts";
import { CHANNEL, HostPool, type Probe, type DatabaseSession, connect, probeServer } from "./pool.ts";
import { type ServerAddress, type PostgresSettings, type Target, addressText } from "./url.ts";
import { setTimeout as sleep } from "node:timers/promises";

/**
 * How long a probe is trusted, in milliseconds. Writers wait as long after committing (see `transaction` in engine.ts),
 * so that no request is answered from an earlier state.
 */
export const LEASE = limit("postgres.lease", 200);
/** The maximum number of attempts at a statement whose server is lost. */
const TRIES = 4;

/**
 * The servers of a URL as one database. One of them, the authority, defines the current state. The authority is the
 * primary, or a standby while no primary can be reached and the URL allows reading from standbys.
 */
export class Cluster {
  readonly settings: PostgresSettings;
  readonly hosts: readonly Host[];
  readonly #note: (message: string) => void;
  readonly #asking = new SharedRun(() => this.#ask());
  readonly #found = Promise.withResolvers<void>();
  #opened = false;
  #authority: Host | undefined;
  #server = 0;
  #change: number | undefined;
  readonly changes = new NoticedChanges();
  #history = 0;
  /**
   * When this process last committed a change, by `performance.now()`. Probes that began before this time may lack the
   * change.
   */
  #doubtedAt = 0;

  constructor(settings: PostgresSettings, note: (message: string) => void) {
    this.settings = settings;
    this.#note = note;
    const addresses = settings.shuffled ? shuffle(settings.addresses) : settings.addresses;
    this.hosts = addresses.map(
      (address) =>
        new Host(
          settings,
          address,
          () => this.changes.revision,
          () => this.#update(),
        ),
    );
  }

  /**
   * Starts to probe the servers. Resolves when a primary is found, or when all servers were tried and one can be read.
   * Throws a CommandError if none can be read.
   */
  async open(): Promise<void> {
    const tried = Promise.all(this.hosts.map((host) => host.conclude()));
    const primary = this.#found;
    for (const host of this.hosts) host.start();
    await (ONLY_STANDBYS.includes(this.settings.target) ? tried : Promise.race([tried, primary.promise]));
    if (this.#authority === undefined) {
      if (this.hosts.some(({ reason }) => isWithoutTables(reason))) throw wrongSchema(this.settings.name, 0);
      throw this.#notFound("can be read");
    }
    this.#opened = true;
  }

  /** See {@link Engine.version}. */
  version(): number | Promise<number> {
    const seenAt = this.#authority?.health?.seenAt ?? 0;
    if (seenAt > this.#doubtedAt && performance.now() - seenAt < LEASE) return this.changes.version;
    return this.#asking.next().then(() => this.changes.version);
  }

  /** See {@link Engine.history}. */
  get history(): number {
    return this.#history;
  }

  /** Makes the next request wait for a new probe. Call it after this process has committed a change. */
  doubt(): void {
    this.#doubtedAt = performance.now();
    for (const host of this.hosts) void host.conclude();
  }

  /** The server that defines the current state. Throws an ApiError if there is none. */
  get authority(): Host {
    if (this.#authority === undefined) throw unavailable(this.hosts[0]?.reason);
    return this.#authority;
  }

  /** The server to read from. It has the authority's state, and it matches `target` if such a server is available. */
  reader(): Host {
    const { authority } = this;
    const { target } = this.settings;
    const standbys = this.hosts.filter(({ health }) => health?.standby);
    if (ONLY_STANDBYS.includes(target) && standbys.length === 0) throw unavailable();
    const wanted = target === "any" ? this.hosts : PRIMARY.includes(target) ? [] : standbys;
    return wanted.find((host) => host === authority || host.health?.change === this.#change) ?? authority;
  }

  /** The server that accepts writes. Throws a CommandError if there is none. */
  get primary(): Host {
    if (this.#authority?.health?.standby === false) return this.#authority;
    throw this.#notFound("is a primary, which accepts changes");
  }

  /**
   * Call it after a statement has failed on `host` for the `tries`th time. Resolves when the caller should retry the
   * statement, on any server. Throws the error to report otherwise.
   */
  async again(error: unknown, host: Host, tries: number): Promise<void> {
    const failure = failureOf(error);
    if (failure === "other") throw error;
    if (failure === "refused" || tries === TRIES) throw unavailable(error);
    if (host.health !== undefined) await host.conclude();
  }

  async close(): Promise<void> {
    await Promise.all(this.hosts.map((host) => host.close()));
  }

  #update(): void {
    const host = this.#choose();
    const health = host?.health;
    if (host !== this.#authority) this.#tell(host);
    this.#authority = host;
    if (health === undefined) return;
    if (!health.standby) this.#found.resolve();
    if (health.change !== this.#change && health.server !== this.#server && this.#change !== undefined) {
      // The new server may lack changes that the previous one had, so what was read before and after must not be
      // combined.
      this.#history++;
      this.changes.doubt();
    }
    const { after, organizations } = health.published;
    this.changes.see(health, (known) => (after !== undefined && after <= known ? organizations : undefined));
    this.#server = health.server;
    this.#change = health.change;
  }

  #choose(): Host | undefined {
    const current = this.#authority;
    const preferred = current === undefined ? this.hosts : [current, ...this.hosts];
    const primary = preferred.find(({ health }) => health?.standby === false);
    if (primary !== undefined || PRIMARY.includes(this.settings.target)) return primary;
    const standbys = preferred.filter(({ health }) => health !== undefined);
    return standbys.find(({ health }) => health?.change === this.#change) ?? standbys[0];
  }

  async #ask(): Promise<void> {
    for (let tries = 1; ; tries++) {
      const { authority } = this;
      try {
        await authority.ask();
        return;
      } catch (error) {
        await this.again(error, authority, tries);
      }
    }
  }

  #tell(host: Host | undefined): void {
    if (!this.#opened) return;
    if (host === undefined) {
      this.#note(`No server of ${this.settings.name} can be read now: ${this.#reasons()}.`);
    } else {
      const what = host.health?.standby === true ? "the standby" : "the primary";
      this.#note(`${this.settings.name} is now read from ${what} ${host.name}.`);
    }
  }

  #notFound(what: string): CommandError {
    return new CommandError(`No server of ${this.settings.name} ${what}: ${this.#reasons()}.`);
  }

  #reasons(): string {
    return this.hosts
      .map(({ name, health, reason }) => {
        if (health === undefined) return `${name}: ${reasonText(reason)}`;
        return `${name} is a ${health.standby ? "standby" : "primary"}`;
      })
      .join("; ");
  }
}

const ONLY_STANDBYS: readonly Target[] = ["standby", "read-only"];
const PRIMARY: readonly Target[] = ["primary", "read-write"];

function shuffle<T>(list: readonly T[]): T[] {
  return list
    .map((item) => ({ item, key: Math.random() }))
    .sort((a, b) => a.key - b.key)
    .map(({ item }) => item);
}

/** The interval between two probes, in milliseconds. */
const PROBE_INTERVAL = 50;
/** The delay before the next attempt to reach a lost server, in milliseconds. */
const RETRY_DELAY = 150;

/** The last probe of a server that answers. */
interface Health extends Probe {
  /** The start of the probe, by `performance.now()`. The probe saw everything that was committed before. */
  readonly seenAt: number;
}

/**
 * One server address of the URL. A separate session probes the server repeatedly: whether it answers, whether it is a
 * standby, and its last change. A notification of a change starts the next probe at once.
 */
export class Host {
  readonly address: ServerAddress;
  readonly #settings: PostgresSettings;
  readonly #known: () => number | undefined;
  readonly #changed: () => void;
  readonly pool: HostPool;
  readonly #closing = new AbortController();
  #health: Health | undefined;
  #session: DatabaseSession | undefined;
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
    address: ServerAddress,
    known: () => number | undefined,
    changed: () => void,
  ) {
    this.#settings = settings;
    this.address = address;
    this.#known = known;
    this.#changed = changed;
    this.pool = new HostPool(settings, address);
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
    const probe = await this.pool.use((client) => probeServer(client, this.#known()));
    this.#learn(probe, at);
  }

  /** Opens a session outside the pool, for long work. */
  session(purpose: string): Promise<DatabaseSession> {
    const connection = this.#settings.connectTimeout;
    return connect(this.#settings, this.address, { purpose, connection, statement: 0 });
  }

  async close(): Promise<void> {
    this.#closing.abort();
    this.#wake();
    const late = setTimeout(() => this.#session?.destroy(), 500);
    await this.pool.close();
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
        await this.#pause(RETRY_DELAY);
      }
    }
  }

  /** Opens a session, and probes over it until it fails or takes longer than a connection may. */
  async #probe(): Promise<void> {
    const { connectTimeout } = this.#settings;
    const manner = { purpose: "watch", connection: connectTimeout, statement: connectTimeout };
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
        this.pool.aim(probe.server, session.tls);
        this.#learn(probe, at);
        this.#conclude();
        if (!listening && !probe.standby) {
          await client.query(`LISTEN ${CHANNEL}`);
          listening = true;
        }
        await this.#pause(at + PROBE_INTERVAL - performance.now());
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
    this.pool.drop();
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

/** Runs one task for many callers, one run at a time. All callers who asked before a run began share the run. */
class SharedRun {
  readonly #run: () => Promise<void>;
  #running: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(run: () => Promise<void>) {
    this.#run = run;
  }

  /** Resolves when a run that began after this call has ended. Rejects if that run rejects. */
  next(): Promise<void> {
    if (this.#next !== undefined) return this.#next;
    if (this.#running === undefined) return this.#begin();
    this.#next = this.#running
      .catch(() => {})
      .then(() => {
        this.#next = undefined;
        return this.#begin();
      });
    return this.#next;
  }

  #begin(): Promise<void> {
    this.#running = this.#run().finally(() => (this.#running = undefined));
    return this.#running;
  }
}
