/** The two cookies of signing in: the session, and a sign-in that has begun. */
import type { IncomingHttpHeaders } from "node:http";
import { LONGEST_ATTEMPT } from "./attempt.ts";

/** How long the browser remembers that somebody signed out, in seconds: a year. */
const REMEMBERED = 31_536_000;
const SESSION = /^rbs_[\w-]{43}$/;
const SIGNED_OUT = "signed-out";

/** The names and attributes of the cookies at a public URL. */
export class Cookies {
  readonly #prefix: string;
  readonly #attributes: string;

  constructor(publicUrl: string) {
    const isSecure = publicUrl.startsWith("https:");
    this.#prefix = isSecure ? "__Host-rolebook-" : "rolebook-";
    this.#attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
  }

  /** The session's value; `undefined` for none, and for several, because it is not clear which one is meant. */
  session(headers: IncomingHttpHeaders): string | undefined {
    const value = this.#read(headers, "session");
    return value !== undefined && SESSION.test(value) ? value : undefined;
  }

  /** Whether the browser sends several values of the session's cookie, of which somebody else set at least one. */
  hasSeveralSessions(headers: IncomingHttpHeaders): boolean {
    return this.#all(headers, "session").length > 1;
  }

  /** Whether the last person in this browser signed out. */
  isSignedOut(headers: IncomingHttpHeaders): boolean {
    return this.#read(headers, "session") === SIGNED_OUT;
  }

  /** The value of the attempt's cookie; `undefined` for none, and for several. */
  attempt(headers: IncomingHttpHeaders): string | undefined {
    return this.#read(headers, "sign-in");
  }

  /** A `Set-Cookie` that ends with the browser's session; the server decides how long the session lasts. */
  setSession(session: string): string {
    return this.#write("session", session);
  }

  clearSession(): string {
    return this.#write("session", "", 0);
  }

  /** A `Set-Cookie` by which the next sign-in asks for the person again. */
  setSignedOut(): string {
    return this.#write("session", SIGNED_OUT, REMEMBERED);
  }

  setAttempt(sealed: string): string {
    return this.#write("sign-in", sealed, LONGEST_ATTEMPT);
  }

  clearAttempt(): string {
    return this.#write("sign-in", "", 0);
  }

  #read(headers: IncomingHttpHeaders, name: string): string | undefined {
    const [value, ...others] = this.#all(headers, name);
    return others.length === 0 ? value : undefined;
  }

  /**
   * All values of a cookie. Only spaces and tabs around a pair do not count (RFC 6265, section 5.2): a browser takes any
   * other white space, such as U+00A0, for a part of the name, and so does not ask of that name what `__Host-` promises.
   */
  #all({ cookie = "" }: IncomingHttpHeaders, name: string): string[] {
    const begin = `${this.#prefix}${name}=`;
    const pairs = cookie.split(";").map(trimmed);
    return pairs.filter((pair) => pair.startsWith(begin)).map((pair) => pair.slice(begin.length));
  }

  #write(name: string, value: string, seconds?: number): string {
    const age = seconds === undefined ? "" : `; Max-Age=${seconds}`;
    return `${this.#prefix}${name}=${value}; ${this.#attributes}${age}`;
  }
}

/** A regular expression for the blanks at the end would try each of those inside, once for every blank behind it. */
function trimmed(text: string): string {
  let [begin, end] = [0, text.length];
  while (isBlank(text[begin])) begin++;
  while (end > begin && isBlank(text[end - 1])) end--;
  return text.slice(begin, end);
}

function isBlank(character: string | undefined): boolean {
  return character === " " || character === "\t";
}
