import { addAbortListener } from "node:events";
import { Socket } from "node:net";
import { Client, type ClientConfig, DatabaseError } from "pg";
import type { Tls } from "./tls.ts";
import { TYPES } from "./types.ts";
import type { Address, PostgresSettings } from "./url.ts";

/** The time limit for closing a session, in milliseconds: a hung server never answers. */
const FAREWELL = 500;

/** A session outside every pool. */
export interface Session extends AsyncDisposable {
  readonly client: Client;
  /** The entry of `settings.tls` that opened it. */
  readonly way: Tls[number];
  /** Ends the session at once; running statements reject. */
  destroy(): void;
  /** Ends the session in order, or by force if the server does not answer. */
  end(): Promise<void>;
}

/** The driver's configuration for an address, without the socket. */
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

/** The purpose of a session, and its time limits in milliseconds. */
export interface Manner {
  /** Shown in the server's list of sessions, after the program's name. */
  readonly purpose: string;
  readonly connection: number;
  /** The limit for each statement; 0 means no limit. */
  readonly statement: number;
}

/**
 * Opens a session, with the first entry of `settings.tls` that works. Rejects with the driver's error; `signal`
 * cancels the attempt.
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
    // Running statements report the error. Without this listener, Node would end the process.
    client.on("error", () => {});
    const listener = signal && addAbortListener(signal, () => socket.destroy());
    try {
      await client.connect();
      return sessionOf(client, socket, way);
    } catch (error) {
      socket.destroy();
      // A server's error explains more than a failed TLS handshake.
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

/** Whether no server was reached. Another entry of `settings.tls` would not help then. */
function isUnreachable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isUnreachable);
  if (!(error instanceof Error)) return false;
  if (error.message.startsWith("timeout")) return true;
  return (
    "code" in error &&
    ["ECONNREFUSED", "ENOTFOUND", "EHOSTUNREACH", "ENETUNREACH"].includes(String(error.code))
  );
}
