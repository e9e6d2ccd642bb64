/** Signing in: the form, and the first request with its token. */
import { useEffect, useRef, useState } from "preact/hooks";
import { Logo } from "../parts/Icon.tsx";

interface SignInProps {
  /** Whether the token of the last session is no longer valid. The address stays, so that the reader returns to it. */
  expired: boolean;
  onSignIn(token: string): void;
}

/** The sign-in form. Its field has no `name`, so that submitting the form can never put the token into a URL. */
export function SignIn({ expired, onSignIn }: SignInProps) {
  const field = useRef<HTMLInputElement>(null);
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    document.title = "Sign in – Rolebook";
    field.current?.focus();
  }, []);

  async function signIn(): Promise<void> {
    const token = (field.current?.value ?? "").trim().replace(/^Bearer\s+/iu, "");
    if (busy) return;
    setBusy(true);
    const wrong = await tryToken(token);
    setBusy(false);
    if (wrong === undefined) return onSignIn(token);
    setProblem(wrong);
    field.current?.focus();
  }

  return (
    <main class="gate">
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void signIn();
        }}
      >
        <p class="brand">
          <Logo />
          <span>Rolebook</span>
        </p>
        <h1>Who can do what, and why</h1>
        {expired && (
          <p class="ended" role="status">
            Your token expired or was revoked. Sign in again to go on where you were.
          </p>
        )}
        <label for="token">Access token</label>
        <div class="tr">
          <input
            id="token"
            ref={field}
            type="password"
            placeholder="rb_…"
            autocomplete="off"
            autocapitalize="off"
            spellcheck={false}
            aria-invalid={problem !== ""}
            aria-describedby={problem === "" ? "token-kept" : "token-problem token-kept"}
            onInput={() => setProblem("")}
          />
          <button type="submit" class="btn pri" aria-disabled={busy}>
            Sign in
          </button>
        </div>
        <p class="problem" id="token-problem" role="alert">
          {problem}
        </p>
        <p id="token-kept">Kept in this tab only and forgotten when you close it.</p>
        <p>
          No token yet? On the server run
          <br />
          <code>rolebook token create --organization ID</code>
        </p>
      </form>
    </main>
  );
}

const WRONG = "This token is not valid. It may be mistyped, expired or revoked.";

/** Why nobody can sign in with `token`, as a sentence; `undefined` if the server accepts it. */
async function tryToken(token: string): Promise<string | undefined> {
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
