/** A server where people sign in with a real provider. */
import type { FastifyBaseLogger, FastifyInstance } from "fastify";
import { pino } from "pino";
import { buildApp } from "../../../src/http/app.ts";
import { type Attempt, Attempts } from "../../../src/http/sign-in/attempt.ts";
import { Sessions } from "../../../src/http/sign-in/sessions.ts";
import type { Setup } from "../../../src/http/sign-in/setup.ts";
import type { Service } from "../../../src/http/service.ts";
import type { Store } from "../../../src/store/store.ts";
import { CLIENT, type Provider } from "../../parts/provider.ts";
import { serviceOf } from "../../world.ts";
import { type Answered, type Jar, OURS } from "./jar.ts";

const HOUR = 60 * 60_000;

/** What a browser keeps of a sign-in that has begun. */
export function attemptOf(jar: Jar): Attempt {
  const [, cookie = ""] = [...jar.cookies].find(([name]) => name.endsWith("rolebook-sign-in")) ?? [];
  const [sealed = ""] = cookie.split(".");
  const [attempt]: Attempt[] = JSON.parse(Buffer.from(sealed, "base64url").toString());
  if (attempt === undefined) throw new Error("No sign-in has begun.");
  return attempt;
}

export class House {
  readonly service: Service;
  readonly app: FastifyInstance;
  readonly provider: Provider;
  /** The lines of the log. */
  readonly lines: string[];

  readonly #setup: Setup;

  private constructor(
    service: Service,
    app: FastifyInstance,
    provider: Provider,
    lines: string[],
    setup: Setup,
  ) {
    this.#setup = setup;
    this.service = service;
    this.app = app;
    this.provider = provider;
    this.lines = lines;
  }

  static async open(
    store: Store,
    provider: Provider,
    setup: Partial<Setup> = {},
    publicUrl?: string,
  ): Promise<House> {
    const whole: Setup = {
      issuer: provider.issuer,
      clientId: CLIENT.id,
      clientSecret: CLIENT.secret,
      organization: "acme",
      claim: "email",
      hostedDomain: undefined,
      lifetimes: { idle: 8 * HOUR, longest: 24 * HOUR },
      ...setup,
    };
    const sessions = new Sessions(store, whole, publicUrl ?? "http://127.0.0.1");
    // Each browser says from which address it comes, as behind a proxy: one address signs in twenty times a minute.
    const service = serviceOf(store, { sessions, trustedProxies: ["127.0.0.1"] });
    const lines: string[] = [];
    const logger: FastifyBaseLogger = pino({ level: "trace" }, { write: (line) => void lines.push(line) });
    const app = buildApp(service, logger);
    const address = await app.listen({ host: "127.0.0.1", port: 0 });
    service.publicUrl = publicUrl ?? address;
    provider.allow(service.publicUrl);
    return new House(service, app, provider, lines, whole);
  }

  /** The value of an attempt's cookie, as this server writes it. */
  seal(attempt: Attempt): Promise<string> {
    return new Attempts(this.#setup).seal(attempt);
  }

  get address(): string {
    const [bound] = this.app.addresses();
    return `http://127.0.0.1:${bound?.port}`;
  }

  /** Sends a person to the provider, who signs in there. Returns the address to which the provider sends them back. */
  async toCallback(jar: Jar, account: string, to = ""): Promise<string> {
    const begin = `${this.address}/explorer/sign-in${to === "" ? "" : `?to=${encodeURIComponent(to)}`}`;
    const isBack = (url: string) => url.startsWith(`${this.service.publicUrl}/`) && url !== begin;
    const form = await jar.follow(begin, isBack);
    if (isBack(form)) return form;
    const body = new URLSearchParams({ account });
    const { location = form } = await jar.ask(form, { method: "POST", body });
    return jar.follow(location, isBack);
  }

  /** Signs a person in, and returns the answer to the callback. */
  async signIn(jar: Jar, account: string, to = ""): Promise<Answered> {
    return jar.ask(await this.toCallback(jar, account, to));
  }

  /** A request of the page. */
  async get(jar: Jar, path = "/explorer/me", headers: Readonly<Record<string, string>> = OURS) {
    return jar.ask(`${this.address}${path}`, { headers });
  }

  /** The id of the member as whom a browser is signed in; the status if it is not. */
  async who(jar: Jar): Promise<string | number> {
    const { status, body } = await this.get(jar);
    if (status !== 200) return status;
    const me: { caller: { id: string } } = JSON.parse(body);
    return me.caller.id;
  }

  signOut(jar: Jar, headers: Readonly<Record<string, string>> = {}): Promise<Answered> {
    const origin = new URL(this.service.publicUrl).origin;
    return jar.ask(`${this.address}/explorer/sign-out`, {
      method: "POST",
      headers: { origin, ...OURS, ...headers },
    });
  }

  async close(): Promise<void> {
    this.app.server.closeAllConnections();
    await this.app.close();
  }
}
