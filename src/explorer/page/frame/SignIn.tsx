import { useEffect, useRef, useState } from "preact/hooks";
import { tryToken } from "../session/ask/tryToken.ts";
import { Mark } from "../parts/Meter.tsx";

interface Props {
  /** Whether the token of the last session is no longer valid. The address stays, so that the reader returns to it. */
  expired: boolean;
  onSignIn(token: string): void;
}

/** The sign-in form. Its field has no `name`, so that submitting the form can never put the token into a URL. */
export function SignIn({ expired, onSignIn }: Props) {
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
          <Mark />
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
