import { addAbortListener } from "node:events";
import { Socket } from "node:net";
import { Client, type ClientConfig, DatabaseError } from "pg";
import type { Tls } from "./tls.ts";
import { TYPES } from "./types.ts";
import type { Address, PostgresSettings } from "./url.ts";

/** How long a farewell may take, in milliseconds: a server that hangs never answers it. */
const FAREWELL = 500;

/** One session of its own, outside every pool. */
export interface Session extends AsyncDisposable {
  readonly client: Client;
  /** The way it was opened, of those in `settings.tls`. */
  readonly way: Tls[number];
  /** Ends it at once; statements that run reject. */
  destroy(): void;
  /** Says goodbye, or ends it when that is not heard. */
  end(): Promise<void>;
}

/** What the driver needs to know for any connection to an address, but for its socket. */
export function configOf(
  settings: PostgresSettings,
  { host, port }: Address,
  way: Tls[number],
): ClientConfig {
  return {
    host,
    port,
    user: settings.user,
    password: settings.password,
    database: settings.database,
    application_name: settings.applicationName,
    options: settings.options,
    ssl: way,
    types: TYPES,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
  };
}

/** What a session is for, and how long it waits, in milliseconds. */
export interface Manner {
  /** As the server lists it, behind the program's name. */
  readonly purpose: string;
  readonly connection: number;
  /** For each statement; 0 lets them take any time. */
  readonly statement: number;
}

/**
 * Opens a session, in the first way of `settings.tls` that works. Rejects with the driver's error; `signal` gives the
 * attempt up.
 */
export async function connect(
  settings: PostgresSettings,
  address: Address,
  { purpose, connection, statement }: Manner,
  signal?: AbortSignal,
): Promise<Session> {
  let failure: unknown;
  for (const way of settings.tls) {
    const socket = new Socket();
    const client = new Client({
      ...configOf(settings, address, way),
      application_name: `${settings.applicationName} ${purpose}`,
      connectionTimeoutMillis: connection,
      query_timeout: statement,
      stream: () => socket,
    });
    // The statements that are running tell of it; without a listener it would end the process.
    client.on("error", () => {});
    const listener = signal && addAbortListener(signal, () => socket.destroy());
    try {
      await client.connect();
      return sessionOf(client, socket, way);
    } catch (error) {
      socket.destroy();
      // What the server says tells more than that it would not speak in one of the ways.
      if (failure === undefined || error instanceof DatabaseError) failure = error;
      if (isUnreachable(error)) break;
    } finally {
      listener?.[Symbol.dispose]();
    }
  }
  throw failure;
}

function sessionOf(client: Client, socket: Socket, way: Tls[number]): Session {
  const end = async () => {
    const late = setTimeout(() => socket.destroy(), FAREWELL);
    await client.end();
    clearTimeout(late);
  };
  return { client, way, destroy: () => socket.destroy(), end, [Symbol.asyncDispose]: end };
}

/** Whether there was nobody to speak to, so that speaking in another way would not help. */
function isUnreachable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isUnreachable);
  if (!(error instanceof Error)) return false;
  if (error.message.startsWith("timeout")) return true;
  return (
    "code" in error &&
    ["ECONNREFUSED", "ENOTFOUND", "EHOSTUNREACH", "ENETUNREACH"].includes(String(error.code))
  );
}
