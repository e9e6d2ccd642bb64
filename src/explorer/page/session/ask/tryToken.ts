const WRONG = "This token is not valid. It may be mistyped, expired or revoked.";

/** Why `token` cannot sign in, in a sentence; `undefined` if it can. */
export async function tryToken(token: string): Promise<string | undefined> {
  if (token === "") return "Paste or type an access token.";
  // An HTTP header can only contain these characters.
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
