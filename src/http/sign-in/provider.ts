/**
 * The provider, by `openid-client`: the address at which a person signs in, and the account of somebody who did. Loaded
 * at the first sign-in. What the provider publishes is read anew for every account, so a rotation of its keys shows at
 * once.
 */
import * as client from "openid-client";
import type { Claimed } from "../../store/sign-ins.ts";
import type { Attempt, Attempts } from "./attempt.ts";
import { type Asking, Exchanges, LONGEST_EXCHANGE } from "./exchanges.ts";
import { type Setup, SignInError, isSafe } from "./setup.ts";

/** By how much the provider's clock may differ, in seconds. */
const TOLERANCE = 60;
/** How long the provider's addresses are used again to send people there, in milliseconds. */
const KNOWN_FOR = 60_000;
/** The longest `sub`, in bytes (OpenID Connect Core 1.0, section 2). */
const LONGEST_SUBJECT = 255;

export interface SignedIn {
  readonly subject: string;
  /** Absent if it is missing or not verified: then only an account that is bound already can sign in. */
  readonly claimed?: Claimed;
  /** What is wrong with the claim, for the log. */
  readonly lacks?: string;
}

export class Provider {
  readonly #setup: Setup;
  readonly #attempts: Attempts;
  readonly #exchanges = new Exchanges();
  #known: Promise<client.Configuration> | undefined;
  #knownUntil = 0;

  constructor(setup: Setup, attempts: Attempts) {
    this.#setup = setup;
    this.#attempts = attempts;
  }

  /**
   * Where to send a person, and what must be found again at the end. `again` asks for a person who is signed in there.
   * The provider is asked at most once at a time for all who begin, who therefore do not wait for exchanges.
   */
  async begin(
    asking: Asking,
    redirectUri: string,
    back: string,
    again: boolean,
  ): Promise<{ url: URL; attempt: Attempt }> {
    if (this.#known === undefined || performance.now() > this.#knownUntil) {
      this.#exchanges.count(asking);
      const known = this.#discover(AbortSignal.timeout(LONGEST_EXCHANGE));
      this.#known = known;
      this.#knownUntil = performance.now() + KNOWN_FOR;
      known.catch(() => (this.#known = undefined));
    }
    const config = await this.#known;
    const verifier = client.randomPKCECodeVerifier();
    const attempt = { state: client.randomState(), nonce: client.randomNonce(), verifier, back };
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: "openid email profile",
      state: attempt.state,
      nonce: attempt.nonce,
      code_challenge: await client.calculatePKCECodeChallenge(verifier),
      code_challenge_method: "S256",
      ...(this.#setup.hostedDomain === undefined ? {} : { hd: this.#setup.hostedDomain }),
      ...(again ? { prompt: "login" } : {}),
    });
    return { url, attempt };
  }

  /** The account for which the provider sent a person back to `url`. Throws a SignInError, or 503 if too many sign in. */
  end(asking: Asking, url: URL, attempt: Attempt): Promise<SignedIn> {
    return this.#exchanges.run(asking, async (signal) => {
      if (!this.#attempts.take(attempt)) throw new SignInError("again", "used");
      const config = await this.#discover(signal);
      try {
        return await this.#account(config, url, attempt);
      } catch (error) {
        throw problemOf(error);
      }
    });
  }

  async #account(config: client.Configuration, url: URL, attempt: Attempt): Promise<SignedIn> {
    const tokens = await client.authorizationCodeGrant(config, url, {
      pkceCodeVerifier: attempt.verifier,
      expectedState: attempt.state,
      expectedNonce: attempt.nonce,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (claims === undefined) throw new SignInError("failed", "no_id_token");
    if (claims.iat > Date.now() / 1000 + TOLERANCE) throw new SignInError("clock", "iat");
    const { claim, hostedDomain, clientId } = this.#setup;
    // The client checks `azp` only beside several audiences.
    if (claims.azp !== undefined && claims.azp !== clientId) throw new SignInError("failed", "azp");
    if (Buffer.byteLength(claims.sub) > LONGEST_SUBJECT) throw new SignInError("failed", "sub");
    if (hostedDomain !== undefined && claims.hd !== hostedDomain) throw new SignInError("refused", "hd");
    const said =
      claims[claim] === undefined
        ? await client.fetchUserInfo(config, tokens.access_token, claims.sub)
        : claims;
    const value = said[claim];
    if (typeof value !== "string" || value === "") return { subject: claims.sub, lacks: "claim" };
    if (claim !== "email") return { subject: claims.sub, claimed: { is: "id", value } };
    if (said.email_verified !== true) return { subject: claims.sub, lacks: "email_verified" };
    return { subject: claims.sub, claimed: { is: "email", value } };
  }

  /** Reads what the provider publishes about itself. */
  async #discover(signal: AbortSignal): Promise<client.Configuration> {
    const { issuer, clientId, clientSecret } = this.#setup;
    const server = new URL(issuer);
    const within: client.CustomFetch = (url, { signal: own, body, ...options }) => {
      const both = own === undefined ? signal : AbortSignal.any([signal, own]);
      const sent = typeof body === "string" || body instanceof URLSearchParams ? body : null;
      return fetch(url, { ...options, body: sent, signal: both });
    };
    const authentication: client.ClientAuth = (as, ...request) => {
      const isPosted = as.token_endpoint_auth_methods_supported?.includes("client_secret_post") === true;
      const method = isPosted ? client.ClientSecretPost : client.ClientSecretBasic;
      return method(clientSecret)(as, ...request);
    };
    let config: client.Configuration;
    try {
      config = await client.discovery(
        server,
        clientId,
        { [client.clockTolerance]: TOLERANCE },
        authentication,
        {
          [client.customFetch]: within,
          execute: [
            client.enableNonRepudiationChecks,
            ...(server.protocol === "http:" ? [client.allowInsecureRequests] : []),
          ],
        },
      );
    } catch (error) {
      const word = wordOf(error);
      throw new SignInError(word === ANOTHER ? "failed" : "unreachable", word);
    }
    const { authorization_endpoint, token_endpoint, userinfo_endpoint, jwks_uri, ...about } =
      config.serverMetadata();
    if (about.issuer !== issuer) throw new SignInError("failed", "issuer");
    for (const endpoint of [authorization_endpoint, token_endpoint, userinfo_endpoint, jwks_uri]) {
      if (endpoint !== undefined && !isSafe(new URL(endpoint))) throw new SignInError("failed", "endpoint");
    }
    return config;
  }
}

/** The issuer that a provider publishes is not the one of the settings. */
const ANOTHER = "OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED";
const CLOCK = "OAUTH_JWT_TIMESTAMP_CHECK_FAILED";
/** Errors of a provider that does not answer, or not in time. */
const AWAY = ["OAUTH_TIMEOUT", "OAUTH_ABORT"];

function problemOf(error: unknown): SignInError {
  if (error instanceof SignInError) return error;
  const word = wordOf(error);
  if (word === CLOCK) return new SignInError("clock", word);
  // The provider tells with the person that it did not sign them in.
  if (error instanceof client.AuthorizationResponseError) return new SignInError("denied", word);
  if (AWAY.includes(word) || error instanceof TypeError) return new SignInError("unreachable", word);
  return new SignInError("failed", word);
}

/** The code of an error for the log, never its message: it may quote what the provider sent about the person. */
function wordOf(error: unknown): string {
  for (let each: unknown = error; each instanceof Error; each = each.cause) {
    for (const name of ["error", "code"] as const) {
      const word: unknown = Reflect.get(each, name);
      if (typeof word === "string" && word !== "OAUTH_INVALID_RESPONSE" && /^\w{1,60}$/.test(word))
        return word;
    }
  }
  return error instanceof Error ? error.name : "unknown";
}
