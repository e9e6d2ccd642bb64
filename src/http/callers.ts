/**
 * Who a caller is, as far as callers share a server (load.ts): a member with all their tokens and sessions, a token of an
 * organization, or, before its token is found, an address.
 */
import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";
import type { FastifyRequest } from "fastify";
import { LRUCache } from "lru-cache";
import type { Token } from "../store/revisions/registry.ts";
import type { Sessions } from "./sign-in/sessions.ts";

/** The caller with a token or a session. */
export function callerWith({ id, organization, member }: Token): string {
  return member === undefined ? `token ${id}` : `member ${organization} ${member}`;
}

/** The caller at an address: all clients of its network. */
export function callerAt(address = ""): string {
  return `address ${networkOf(address)}`;
}

/**
 * As whom the clients behind an address are counted: an IPv4 address, and of IPv6 the network of 64 bits, because one
 * client can have all addresses of it.
 */
export function networkOf(address: string): string {
  const [plain = ""] = address.split("%");
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain)?.[1];
  if (mapped !== undefined || !plain.includes(":")) return mapped ?? plain;
  // Spells an address in one way, whoever reports it.
  const { hostname } = new URL(`http://[${plain}]`);
  const [front = [], back = []] = hostname
    .slice(1, -1)
    .split("::")
    .map((part) => (part === "" ? [] : part.split(":")));
  const zeros = Array.from({ length: 8 - front.length - back.length }, () => "0");
  return [...front, ...zeros, ...back].slice(0, 4).join(":");
}

/**
 * The address of the client: the socket's, or the one that a trusted proxy reports (`trustProxy` in app.ts). A reported
 * text that is not an address is ignored.
 */
export function clientOf({ ip, socket }: Pick<FastifyRequest, "ip" | "socket">): string | undefined {
  return isIP(ip) === 0 ? socket.remoteAddress : ip;
}

/** The most tokens and sessions whose callers are known. */
const MOST_KNOWN = 10_000;

/** Finds the caller of a request before its turn: by a token that was valid when it came last, which decides nothing else. */
export class Callers {
  readonly #known = new LRUCache<string, string>({ max: MOST_KNOWN });
  readonly #sessions: Sessions | undefined;

  constructor(sessions: Sessions | undefined) {
    this.#sessions = sessions;
  }

  of(request: Pick<FastifyRequest, "ip" | "socket" | "raw">): string {
    const credential = this.#credentialOf(request.raw);
    const known = credential === undefined ? undefined : this.#known.get(credential);
    return known ?? callerAt(clientOf(request));
  }

  /** Records whose token or session a request has; returns the caller. */
  learn(request: IncomingMessage, token: Token): string {
    const caller = callerWith(token);
    const credential = this.#credentialOf(request);
    if (credential !== undefined) this.#known.set(credential, caller);
    return caller;
  }

  /** Counts the requests with the same token or session for their address again, because it is not valid any more. */
  forget(request: IncomingMessage): void {
    const credential = this.#credentialOf(request);
    if (credential !== undefined) this.#known.delete(credential);
  }

  /** The token, however its header is spelt; on the explorer's paths, which alone look at cookies, else the session. */
  #credentialOf(request: IncomingMessage): string | undefined {
    const { rawHeaders } = request;
    // A page that is sent again needs no headers by name, which Node makes of the raw ones when they are first read.
    for (let index = 0; index < rawHeaders.length; index += 2) {
      const name = rawHeaders[index];
      if (name?.length !== AUTHORIZATION.length || name.toLowerCase() !== AUTHORIZATION) continue;
      const header = rawHeaders[index + 1] ?? "";
      return header.slice(header.lastIndexOf(" ", header.trimEnd().length - 1) + 1).trimEnd();
    }
    const isExplorer = request.url?.startsWith("/explorer/") === true;
    return isExplorer ? this.#sessions?.cookies.session(request.headers) : undefined;
  }
}

const AUTHORIZATION = "authorization";
