import { setTimeout as sleep } from "node:timers/promises";
import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import { CommandError, UsageError } from "../../domain/error.ts";
import { buildApp } from "../../http/app.ts";
import { Load } from "../../http/load.ts";
import { ResponseCache } from "../../http/response-cache.ts";
import { RateLimit } from "../../http/rate-limit.ts";
import { Sessions } from "../../http/sign-in/sessions.ts";
import type { Service } from "../../http/service.ts";
import { LastUsed } from "../../store/tokens.ts";
import type { Engine } from "../../store/engine/engine.ts";
import { Models } from "../../store/models.ts";
import { Store } from "../../store/store.ts";
import { loadUsedLast } from "../../store/used-last.ts";
import { Waiting } from "../../store/waiting.ts";
import { missingDatabase, withStore } from "../database.ts";
import { STOPPED, STOPS, type WorkerChannel, channelOfProcess, freePort, supervise } from "./workers.ts";
import { fail } from "../terminal.ts";
import { type Log, openLog } from "./log.ts";
import { signInSetup, signInWarnings } from "./sign-in.ts";
import type { CommandOptions } from "../command-table.ts";
import { readPort, readWorkers } from "../options.ts";
import { type Settings, nameWarnings, readSettings, versionOf } from "../settings.ts";

/** How long a stopping server waits for accepted requests, in milliseconds. */
const LONGEST_STOP = 30_000;
/** How long a stopping server accepts new connections, in milliseconds, so that requests on their way are answered. */
const LAST_CALL = 500;
/** How often a stopping server looks for unsent answers, in milliseconds. */
const LOOK = 50;
/** How long a start waits for the server that has its address to say what it is, in milliseconds. */
const LONGEST_ANSWER = 60_000;
const RESPONSE_CACHE = 16 << 20;
/** How often a starting server tries to read the database, in milliseconds. */
const LOOK_FOR_DATABASE = 1_000;
/** How often a server looks whether it keeps what was forgotten or nobody reads, in milliseconds. */
const LOOK_FOR_FORGOTTEN = 1_000;
/** How many new connections the system queues for the server. It resets some of those beyond. */
const MOST_UNACCEPTED = 4096;

/**
 * `rolebook serve`: serves until SIGINT or SIGTERM, then answers every accepted request. With several workers, this
 * process supervises them, and each worker runs this function. Throws a UsageError if the database does not exist: an
 * empty one would give wrong answers.
 */
export async function serveCommand(options: CommandOptions<"serve">): Promise<void> {
  const { host, database } = options;
  const port = readPort(options.port);
  const workers = readWorkers(options.workers);
  const settings = readSettings(process.env, database);
  const missing = missingDatabase(settings);
  if (missing !== undefined) throw new UsageError(missing);
  signInSetup(settings, settings.publicUrl ?? addressOf(host, port));
  const log = openLog(settings.logLevel);
  const channel = channelOfProcess();
  if (channel === undefined) {
    for (const warning of [...nameWarnings(process.env), ...signInWarnings(settings)]) log.work.warn(warning);
  }
  try {
    if (workers > 1 && channel === undefined) {
      const shared = String(port === 0 ? await freePort(host) : port);
      const named = database === undefined ? [] : ["--database", database];
      await supervise(
        workers,
        ["serve", "--port", shared, "--host", host, "--workers", String(workers), ...named],
        log.life,
      );
    } else {
      await serve(database, host, port, workers, channel, log);
    }
  } catch (error) {
    if (error instanceof UsageError) throw error;
    fail(error, (message) => log.last.fatal(message));
  } finally {
    channel?.leave();
  }
}

function serve(
  database: string | undefined,
  host: string,
  port: number,
  workers: number,
  channel: WorkerChannel | undefined,
  log: Log,
): Promise<void> {
  return withStore(
    database,
    async ({ settings, store: { engine } }) => {
      const { address, stopping, stopped } = await listen(
        engine,
        settings,
        { host, port, workers },
        log.work,
        channel,
      );
      if (channel !== undefined) {
        channel.serving(engine.name, address);
        return stopped;
      }
      log.life.info(`Rolebook serves ${engine.name} at ${address}`);
      await stopping;
      log.life.info(STOPS);
      await stopped;
      log.life.info(STOPPED);
    },
    (note) => log.work.warn(note),
  );
}

export interface Server {
  /** The URL at which the server listens. */
  readonly address: string;
  /** Resolves when the server begins to stop. */
  readonly stopping: Promise<void>;
  /** Resolves when the server has stopped. */
  readonly stopped: Promise<void>;
}

interface Place {
  readonly host: string;
  readonly port: number;
  /** How many processes serve there. */
  readonly workers: number;
}

/** Throws a CommandError if the address is not available. */
export async function listen(
  engine: Engine,
  settings: Settings,
  { host, port, workers }: Place,
  logger: FastifyBaseLogger,
  channel?: WorkerChannel,
): Promise<Server> {
  const warn = (message: string) => logger.warn(message);
  const models = new Models({
    bytes: settings.memory / workers,
    warn,
    waiting: new Waiting(),
  });
  const store = new Store(engine, undefined, models);
  const used = new LastUsed(store.engine, (err) => logger.error({ err }, "unexpected error"));
  const publicUrl = settings.publicUrl ?? addressOf(host, port);
  const setup = signInSetup(settings, publicUrl);
  const service: Service = {
    store,
    publicUrl,
    sessions: setup && new Sessions(store, setup, publicUrl),
    trustedProxies: settings.trustedProxies,
    logAccess: settings.logAccess,
    version: versionOf(),
    responses: new ResponseCache(RESPONSE_CACHE),
    rateLimit: new RateLimit(settings.rateLimit),
    pagesRead: 0,
    load: new Load(),
    draining: false,
    loading: true,
    onAnswered({ token }) {
      if (token !== null) used.note(token.id);
    },
    workers: channel,
  };
  const app = buildApp(service, logger);
  try {
    await app.listen({ host, port, backlog: MOST_UNACCEPTED });
  } catch (cause) {
    throw new CommandError(await refusalOf(addressOf(host, port), cause), { cause });
  }
  const bound = app.addresses()[0];
  const address = addressOf(host, bound?.port ?? port);
  service.publicUrl = settings.publicUrl ?? address;
  void prepare(service, warn);
  void forgetRegularly(service);
  const stopping = stopSignal(channel?.stop);
  return { address, stopping, stopped: stopping.then(() => stop(app, service)).then(() => used.close()) };
}

/** Loads what will be asked for first; `/readyz` says when that is done. */
async function prepare(service: Service, warn: (message: string) => void): Promise<void> {
  while (service.loading && !service.draining) {
    try {
      await loadUsedLast(service.store, warn);
      service.loading = false;
    } catch {
      // The database cannot be read now, as /readyz says, too.
      await sleep(LOOK_FOR_DATABASE, undefined, { ref: false });
    }
  }
}

/** Lets go of forgotten people, removed organizations and what nobody reads, also while nobody asks for a page. */
async function forgetRegularly(service: Service): Promise<void> {
  const { engine, models } = service.store;
  while (!service.draining) {
    await sleep(LOOK_FOR_FORGOTTEN, undefined, { ref: false });
    // A database that cannot be reached is asked again.
    await models.forget(engine).catch(() => {});
  }
}

function addressOf(host: string, port: number): string {
  const name = host === "0.0.0.0" || host === "::" ? "localhost" : host;
  return `http://${name.includes(":") ? `[${name}]` : name}:${port}`;
}

/** Why an address cannot be listened on. */
async function refusalOf(address: string, cause: unknown): Promise<string> {
  const isInUse = cause instanceof Error && "code" in cause && cause.code === "EADDRINUSE";
  if (!isInUse) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    return `The address ${address} cannot be listened on: ${reason}.`;
  }
  const server = await serverAt(address);
  const remedy = "choose another port (--port; ROLEBOOK_START_PORT for npm start)";
  if (server === "Rolebook") return `Rolebook runs already at ${address}; stop that server, or ${remedy}.`;
  const by = server === "another" ? "" : "; what listens there does not say now whether it is Rolebook";
  return `The address ${address} cannot be listened on: the port is in use${by}. Stop that server, or ${remedy}.`;
}

/** Which program listens at an address: `unknown` if it is too slow, overloaded or stopping. */
async function serverAt(address: string): Promise<"Rolebook" | "another" | "unknown"> {
  try {
    const response = await fetch(`${address}/openapi.json`, { signal: AbortSignal.timeout(LONGEST_ANSWER) });
    const description = await response.text();
    if (description.includes('"title":"Rolebook"')) return "Rolebook";
    return response.status === 503 ? "unknown" : "another";
  } catch (error) {
    return error instanceof Error && error.name === "TimeoutError" ? "unknown" : "another";
  }
}

/** Resolves when a signal or the supervisor stops this process. */
function stopSignal(bySupervisor?: Promise<void>): Promise<void> {
  return new Promise((resolve) => {
    for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => resolve());
    void bySupervisor?.then(resolve);
  });
}

async function stop(app: FastifyInstance, service: Service): Promise<void> {
  service.draining = true;
  const until = Date.now() + LONGEST_STOP;
  await sleep(LAST_CALL);
  // Node's own close would end connections whose answers are written but not yet received.
  while (service.load.open > 0 && Date.now() < until) await sleep(LOOK);
  app.server.closeAllConnections();
  await app.close();
}
