/** A real OpenID provider, `oidc-provider`, with a form of one field: the account. Tests change what it says. */
import { type KeyObject, createHash, createHmac, generateKeyPairSync, sign } from "node:crypto";
import { once } from "node:events";
import { type IncomingMessage, type Server, type ServerResponse, createServer } from "node:http";
import { text } from "node:stream/consumers";
import OidcProvider from "oidc-provider";

export type Claims = Record<string, unknown>;

/** The client that the provider knows. */
export const CLIENT = { id: "rolebook", secret: "a-secret-of-thirty-two-characters-or-more" };
const KEYS = "the key with which cookies are signed";

/** How an ID token is made: its claims, and its header. */
type Forge = (claims: Claims, header: Claims) => string | undefined;

export class Provider {
  /** What the provider says of each account. */
  readonly accounts = new Map<string, Claims>();
  /** Makes another ID token than the one that the provider made; `undefined` leaves it. */
  forge: Forge | undefined;
  /** Answers UserInfo with these claims. */
  tellOf: (() => Claims) | undefined;
  /** Changes what the provider publishes about itself. */
  publish: (metadata: Claims) => Claims = (metadata) => metadata;
  /** Whether claims are in the ID token, too. */
  inToken = true;
  /** The paths that were asked, in order. */
  readonly asked: string[] = [];
  /** The most requests that it answered at once. */
  most = 0;
  #answering = 0;
  /** Holds answers back until it resolves. */
  delay: Promise<void> | undefined;
  readonly #redirects: string[];
  readonly #server: Server;
  #port = 0;
  #provider: OidcProvider | undefined;
  #key: { privateKey: KeyObject; kid: string } | undefined;

  /** `redirects` are the addresses to which it sends people back. */
  private constructor(redirects: readonly string[]) {
    this.#redirects = [...redirects];
    this.#server = createServer((request, response) => {
      this.#answer(request, response).catch((error: unknown) => response.destroy(new Error(String(error))));
    });
  }

  static async start(redirects: readonly string[] = []): Promise<Provider> {
    const started = new Provider(redirects);
    await started.come();
    return started;
  }

  get issuer(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Lets a server send people here. */
  allow(publicUrl: string): void {
    this.#redirects.push(`${publicUrl}/explorer/sign-in/callback`);
    this.rotate();
  }

  async come(): Promise<void> {
    this.#server.listen(this.#port, "127.0.0.1");
    await once(this.#server, "listening");
    const address = this.#server.address();
    this.#port = typeof address === "object" && address !== null ? address.port : 0;
    if (this.#provider === undefined) this.rotate();
  }

  /** Stops answering, on the same port as {@link come}. */
  async go(): Promise<void> {
    this.#server.closeAllConnections();
    if (this.#server.listening) await new Promise((resolve) => this.#server.close(resolve));
  }

  /** Begins to sign with another key, and forgets the old one and who is signed in. */
  rotate(): void {
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const key = privateKey.export({ format: "jwk" });
    const kid = createHash("sha256").update(String(key.n)).digest("hex").slice(0, 8);
    const jwk = { ...key, kid, use: "sig", alg: "RS256" };
    this.#key = { privateKey, kid };
    const provider = new OidcProvider(this.issuer, {
      clients: [
        {
          client_id: CLIENT.id,
          client_secret: CLIENT.secret,
          redirect_uris: this.#redirects.length > 0 ? this.#redirects : ["http://127.0.0.1:1/none"],
          token_endpoint_auth_method: "client_secret_post",
        },
      ],
      jwks: { keys: [jwk] },
      cookies: { keys: [KEYS] },
      claims: { openid: ["sub"], email: ["email", "email_verified"], profile: ["name", "oid", "hd", "odd"] },
      ttl: { AccessToken: 600, Grant: 600, IdToken: 600, Interaction: 600, Session: 600 },
      conformIdTokenClaims: !this.inToken,
      features: { devInteractions: { enabled: false } },
      interactions: { url: (_: unknown, { uid }: { uid: string }) => `/form/${uid}` },
      findAccount: (_: unknown, accountId: string) => ({
        accountId,
        claims: () => ({ sub: accountId, ...this.accounts.get(accountId) }),
      }),
      async loadExistingGrant(context: {
        oidc: { client: { clientId: string }; session: { accountId: string } };
      }) {
        const { client, session } = context.oidc;
        const grant = new provider.Grant({ clientId: client.clientId, accountId: session.accountId });
        grant.addOIDCScope("openid email profile");
        await grant.save();
        return grant;
      },
    });
    provider.use(async (context, next) => {
      await next();
      const { body } = context;
      if (typeof body !== "object" || body === null) return;
      if (context.path.startsWith("/.well-known/")) context.body = this.publish({ ...body });
      if (context.path === "/me" && this.tellOf !== undefined) context.body = this.tellOf();
      if (!("id_token" in body) || typeof body.id_token !== "string" || this.forge === undefined) return;
      const [header = "", claims = ""] = body.id_token.split(".");
      const forged = this.forge(decoded(claims), decoded(header));
      if (forged !== undefined) context.body = { ...body, id_token: forged };
    });
    this.#provider = provider;
  }

  /** An ID token, signed with the key of the provider. */
  sign(claims: Claims, header: Claims = {}): string {
    if (this.#key === undefined) throw new Error("The provider has no key.");
    const { privateKey, kid } = this.#key;
    const signed = `${encoded({ alg: "RS256", kid, ...header })}.${encoded(claims)}`;
    return `${signed}.${sign("RSA-SHA256", Buffer.from(signed), privateKey).toString("base64url")}`;
  }

  /** An ID token with the key's name, signed with a key that the provider does not have. */
  signElsewhere(claims: Claims): string {
    const { privateKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
    const [header, body] = this.sign(claims).split(".");
    const signature = sign("RSA-SHA256", Buffer.from(`${header}.${body}`), privateKey);
    return `${header}.${body}.${signature.toString("base64url")}`;
  }

  /** An ID token without a signature, or with one by the secret that the client knows too. */
  unsigned(claims: Claims, alg: "none" | "HS256"): string {
    const signed = `${encoded({ alg })}.${encoded(claims)}`;
    const signature = createHmac("sha256", CLIENT.secret).update(signed).digest("base64url");
    return `${signed}.${alg === "none" ? "" : signature}`;
  }

  /** An ID token with the signature of another one. */
  altered(claims: Claims): string {
    const [header, , signature] = this.sign({ ...claims, altered: true }).split(".");
    return `${header}.${encoded(claims)}.${signature}`;
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname } = new URL(request.url ?? "/", this.issuer);
    this.asked.push(pathname);
    this.most = Math.max(this.most, ++this.#answering);
    response.once("close", () => this.#answering--);
    await this.delay;
    const provider = this.#provider;
    if (provider === undefined) throw new Error("The provider has not started.");
    if (!pathname.startsWith("/form/")) return void provider.callback()(request, response);
    if (request.method === "GET") {
      response.setHeader("content-type", "text/html");
      response.end(FORM);
      return;
    }
    const account = new URLSearchParams(await text(request)).get("account") ?? "";
    const result =
      account === ""
        ? { error: "access_denied", error_description: "nobody signed in" }
        : { login: { accountId: account } };
    await provider.interactionFinished(request, response, result, { mergeWithLastSubmission: false });
  }
}

const FORM = `<!doctype html><html lang="en"><title>Sign in</title><h1>The company's sign-in</h1>
  <form method="post"><label>Account <input name="account"></label><button>Continue</button></form>`;

function encoded(part: Claims): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}

function decoded(part: string): Claims {
  const claims: Claims = JSON.parse(Buffer.from(part, "base64url").toString());
  return claims;
}
