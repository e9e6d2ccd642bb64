/** A sign-in that has begun, as it lies in a cookie until its end: the server itself keeps nothing of it. */
import { createHmac, scrypt, timingSafeEqual } from "node:crypto";
import { type Setup, SignInError } from "./setup.ts";

/** What the end of a sign-in must find again. */
export interface Attempt {
  readonly state: string;
  readonly nonce: string;
  readonly verifier: string;
  /** The query of the page's address to which the person returns. */
  readonly back: string;
}

type Client = Pick<Setup, "issuer" | "clientId" | "clientSecret">;

/** How long a person may take at the provider, in seconds. */
export const LONGEST_ATTEMPT = 600;
/** By how much the clocks of two servers may differ, in seconds. */
const TOLERANCE = 60;

/**
 * Writes attempts so that only servers with this client secret can have written them, and remembers which ones were
 * exchanged. An attempt that was not made by us never reaches the provider.
 */
export class Attempts {
  readonly #setup: Client;
  #key: Promise<Buffer> | undefined;
  /** The states of the attempts that were exchanged, oldest first, each with the time until which it might come again. */
  readonly #exchanged = new Map<string, number>();

  constructor(setup: Client) {
    this.#setup = setup;
  }

  /** The value of a cookie, with the time and a keyed hash of everything in it. */
  async seal(attempt: Attempt): Promise<string> {
    const sealed = Buffer.from(JSON.stringify([attempt, Date.now()])).toString("base64url");
    return `${sealed}.${await this.#hash(sealed)}`;
  }

  /**
   * The attempt in the value of a cookie; `undefined` if we did not write it, or too long ago. Throws a SignInError if the
   * clock of the server that wrote it is too far ahead.
   */
  async open(value: string): Promise<Attempt | undefined> {
    const [sealed = "", hash = "", ...more] = value.split(".");
    if (more.length > 0 || !isEqual(hash, await this.#hash(sealed))) return undefined;
    const [attempt, made]: [Attempt, number] = JSON.parse(Buffer.from(sealed, "base64url").toString());
    const age = (Date.now() - made) / 1000;
    if (age < -TOLERANCE) throw new SignInError("clock", "servers");
    return isInside(attempt.back) && age < LONGEST_ATTEMPT ? attempt : undefined;
  }

  /** Whether an attempt may be exchanged: once in this process. */
  take({ state }: Attempt): boolean {
    const now = Date.now();
    for (const [each, until] of this.#exchanged) {
      if (until > now) break;
      this.#exchanged.delete(each);
    }
    if (this.#exchanged.has(state)) return false;
    this.#exchanged.set(state, now + (LONGEST_ATTEMPT + TOLERANCE) * 1000);
    return true;
  }

  async #hash(sealed: string): Promise<string> {
    const key = await (this.#key ??= keyFrom(this.#setup));
    return createHmac("sha256", key).update(sealed).digest("base64url");
  }
}

/**
 * The key of all servers with the same client secret. It is derived slowly, because anybody gets a cookie with a hash, and
 * could otherwise try many client secrets at home.
 */
function keyFrom({ issuer, clientId, clientSecret }: Client): Promise<Buffer> {
  const salt = JSON.stringify(["rolebook sign-in", issuer, clientId]);
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  scrypt(clientSecret, salt, 32, (error, key) => (error === null ? resolve(key) : reject(error)));
  return promise;
}

/** Compares in a time that does not depend on where two texts differ. */
function isEqual(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)];
  return a.length === b.length && timingSafeEqual(a, b);
}

/** Whether a text is the query of an address of the page, or empty: appended to the public URL, it leads nowhere else. */
export function isInside(back: string): boolean {
  return /^(?:\?[!$-~]{0,2000})?$/.test(back);
}
