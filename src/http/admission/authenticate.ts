import { hash } from "node:crypto";
import { ApiError } from "../../domain/error.ts";
import type { FoundToken, Registry, Token } from "../../store/revisions/registry.ts";

const SCHEME = /^Bearer +(\S+) *$/i;
const TOKEN = /^rb_[A-Za-z0-9_-]{43}$/;

/**
 * Looks up the token of a request. Throws 401 if it is missing, malformed, unknown, expired or revoked. All tokens that
 * are sent get the same message, which does not reveal whether a token exists.
 */
export async function authenticate(
  registry: Registry,
  authorization: string | undefined,
): Promise<FoundToken> {
  if (authorization === undefined) throw refused("There is no token; send Authorization: Bearer <token>.");
  const text = SCHEME.exec(authorization)?.[1] ?? "";
  const found = TOKEN.test(text) ? await registry.token(hash("sha256", text)) : undefined;
  if (found === undefined || hasExpired(found.token)) {
    throw refused("This token is not valid: it may be mistyped, expired or revoked.");
  }
  return found;
}

function hasExpired({ expiresAt }: Token): boolean {
  return expiresAt !== undefined && Date.parse(expiresAt) <= Date.now();
}

function refused(message: string): ApiError {
  return new ApiError("unauthorized", message, { "www-authenticate": "Bearer" });
}
