/** Signing in: the form, and the first request with its token. */
import { useEffect, useRef, useState } from "preact/hooks";
import type { SignInProblem } from "../../wire/protocol.ts";
import { Logo } from "../parts/Icon.tsx";
import { provider, signInAddress } from "../session/signIn.ts";

/** What to ask whom for, when a sign-in with the provider failed. */
export const PROBLEMS: Readonly<Record<SignInProblem, string>> = {
  again: "This sign-in took too long or began elsewhere. Sign in again.",
  denied: "Your company’s sign-in did not let you in. Ask its administrators for access to Rolebook.",
  refused:
    "Rolebook does not know you by this account. Ask whoever runs Rolebook here to look at your entry.",
  unreachable: "Your company’s sign-in cannot be reached from here now. Try again in a moment.",
  clock:
    "The clocks of Rolebook and of your company’s sign-in differ. Ask whoever runs Rolebook here to set them.",
  unwritable:
    "Nobody can sign in now, because the database cannot be written. Try again later, or use a token.",
  failed: "Signing in failed. Try again; if it fails again, ask whoever runs Rolebook here to read its log.",
};

interface SignInProps {
  /** Whether the token of the last session is no longer valid. The address stays, so that the reader returns to it. */
  expired: boolean;
  /** Why signing in with the provider failed; empty if it did not. */
  problem: string;
  onSignIn(token: string): void;
}

/** The sign-in form. Its field has no `name`, so that submitting the form can never put the token into a URL. */
export function SignIn({ expired, problem: failed, onSignIn }: SignInProps) {
  const field = useRef<HTMLInputElement>(null);
  const button = useRef<HTMLAnchorElement>(null);
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  useEffect(() => {
    document.title = "Sign in – Rolebook";
    (provider === undefined ? field : button).current?.focus();
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
            Your {provider === undefined ? "token" : "session or token"} expired or was revoked. Sign in again
            to go on where you were.
          </p>
        )}
        {failed !== "" && (
          <p class="ended" role="alert">
            {failed}
          </p>
        )}
        {provider !== undefined && (
          <p class="company">
            <a ref={button} class="btn pri" href={signInAddress()}>
              Sign in with {provider}
            </a>
          </p>
        )}
        <label for="token">{provider === undefined ? "Access token" : "Or an access token"}</label>
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
          <button type="submit" class={provider === undefined ? "btn pri" : "btn"} aria-disabled={busy}>
            Sign in{provider !== undefined && <span class="vh"> with the token</span>}
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
