import { render } from "preact";
import { useState } from "preact/hooks";
import { SignIn } from "./frame/SignIn.tsx";
import { Workspace } from "./frame/Workspace.tsx";
import { Session, SessionContext } from "./session/session.ts";
import { storeInTab, storedInTab } from "./session/tabStorage.ts";

/** Begins the page: signed out, or with a session that ends when the reader signs out or the token ends. */
const page = document.getElementById("page");
if (page) render(<App />, page);

function App() {
  const [session, setSession] = useState(() => {
    const token = storedInTab("token");
    return token === undefined ? undefined : begin(token, "load");
  });
  const [expired, setExpired] = useState(false);

  function begin(token: string, cause: "load" | "choose"): Session {
    const next = new Session(token, cause, () => {
      setExpired(true);
      end(next);
    });
    return next;
  }

  function end(ended: Session): void {
    ended.end();
    storeInTab("token", undefined);
    setSession((current) => (current === ended ? undefined : current));
  }

  function signIn(token: string): void {
    storeInTab("token", token);
    setSession(begin(token, "choose"));
  }

  if (!session) return <SignIn expired={expired} onSignIn={signIn} />;
  return (
    <SessionContext.Provider value={session}>
      <Workspace
        onSignOut={() => {
          setExpired(false);
          end(session);
          history.replaceState(null, "", "./");
        }}
      />
    </SessionContext.Provider>
  );
}
