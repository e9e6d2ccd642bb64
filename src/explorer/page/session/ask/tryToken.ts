const WRONG = "This token is not valid. It may be mistyped, expired or revoked.";

/** Why nobody can sign in with `token`, as a sentence; `undefined` if the server accepts it. */
export async function tryToken(token: string): Promise<string | undefined> {
  if (token === "") return "Paste or type an access token.";
  // Other characters are invalid in an HTTP header.
  if (!/^[\x21-\x7e]+$/u.test(token)) return WRONG;
  try {
    const { ok, status, headers } = await fetch(new URL("explorer/me", document.baseURI), {
      headers: { authorization: `Bearer ${token}` },
      cache: "no-store",
      credentials: "omit",
    });
    if (ok) return undefined;
    if (status === 401) return WRONG;
    if (status === 429)
      return `Too many requests. Try again in ${headers.get("retry-after") ?? "a few"} seconds.`;
    return `The server cannot answer now (status ${status}). Try again in a moment.`;
  } catch {
    return "The server is not answering. Try again in a moment.";
  }
}
