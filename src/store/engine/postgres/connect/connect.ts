import { addAbortListener } from "node:events";
import { Socket } from "node:net";
import { Client, type ClientConfig, DatabaseError } from "pg";
import type { Tls } from "./tls.ts";
import { TYPES } from "./types.ts";
import type { Address, PostgresSettings } from "./url.ts";

/** The time limit for closing a session, in milliseconds. A server that hangs never confirms the end. */
const FAREWELL = 500;

/** A database session that belongs to no pool. */
export interface Session extends AsyncDisposable {
  readonly client: Client;
  /** The entry of `settings.tls` with which the session was opened. */
  readonly tls: Tls[number];
  /** Ends the session at once; running statements reject. */
  destroy(): void;
  /** Ends the session in order, or after {@link FAREWELL} by force. */
  end(): Promise<void>;
}

export function configOf(
  settings: PostgresSettings,
  { host, port }: Address,
  tls: Tls[number],
): ClientConfig {
  return {
    host,
    port,
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

/** The purpose of a session, and its time limits in milliseconds. */
export interface Manner {
  /** Shown in the server's list of sessions, after the program's name. */
  readonly purpose: string;
  readonly connection: number;
  /** The time limit of each statement; 0 for none. */
  readonly statement: number;
}

/**
 * Opens a session with the first entry of `settings.tls` that works. `signal` cancels the attempt. Rejects with the
 * driver's error.
 */
export async function connect(
  settings: PostgresSettings,
  address: Address,
  { purpose, connection, statement }: Manner,
  signal?: AbortSignal,
): Promise<Session> {
  let failure: unknown;
  for (const tls of settings.tls) {
    const socket = new Socket();
    const client = new Client({
      ...configOf(settings, address, tls),
      application_name: `${settings.applicationName} ${purpose}`,
      connectionTimeoutMillis: connection,
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
      // A server's own error explains more than a failed TLS handshake, so it replaces the first error.
      if (failure === undefined || error instanceof DatabaseError) failure = error;
      if (isUnreachable(error)) break;
    } finally {
      listener?.[Symbol.dispose]();
    }
  }
  throw failure;
}

function sessionOf(client: Client, socket: Socket, tls: Tls[number]): Session {
  const end = async () => {
    const late = setTimeout(() => socket.destroy(), FAREWELL);
    await client.end();
    clearTimeout(late);
  };
  return { client, tls, destroy: () => socket.destroy(), end, [Symbol.asyncDispose]: end };
}

/** Whether the error means that no server was reached. If so, the other entries of `settings.tls` fail too. */
function isUnreachable(error: unknown): boolean {
  if (error instanceof AggregateError) return error.errors.every(isUnreachable);
  if (!(error instanceof Error)) return false;
  if (error.message.startsWith("timeout")) return true;
  return (
    "code" in error &&
    ["ECONNREFUSED", "ENOTFOUND", "EHOSTUNREACH", "ENETUNREACH"].includes(String(error.code))
  );
}
