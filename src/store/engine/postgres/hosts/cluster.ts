import { CommandError, unavailable } from "../../../../domain/error.ts";
import { Changes } from "../../changes.ts";
import { failureOf, isWithoutTables, reasonOf, wrongSchema } from "../failure.ts";
import { Host } from "./host.ts";
import { SharedRun } from "./shared-run.ts";
import type { PostgresSettings, Target } from "../connect/url.ts";

/**
 * How long a probe is trusted, in milliseconds. Writers wait as long after committing (see `transaction` in engine.ts),
 * so that no request is answered from an earlier state.
 */
export const LEASE = 200;
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
  readonly #changes = new Changes();
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
          () => this.#changes.revision,
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
    if (seenAt > this.#doubtedAt && performance.now() - seenAt < LEASE) return this.#changes.version;
    return this.#asking.next().then(() => this.#changes.version);
  }

  /** See {@link Engine.changedAt}. */
  changedAt(organization: string): number {
    return this.#changes.of(organization);
  }

  /** See {@link Engine.noteChange}. */
  noteChange(organization: string): void {
    this.#changes.note(organization);
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
      this.#changes.doubt();
    }
    const { after, organizations } = health.published;
    this.#changes.see(health, (known) => (after !== undefined && after <= known ? organizations : undefined));
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
        if (health === undefined) return `${name}: ${reasonOf(reason)}`;
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
