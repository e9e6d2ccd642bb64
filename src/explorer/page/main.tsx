import { render } from "preact";
import { useEffect, useState } from "preact/hooks";
import { PROBLEMS, SignIn } from "./frame/SignIn.tsx";
import { Workspace } from "./frame/Workspace.tsx";
import { Session, SessionContext } from "./session/session.ts";
import { currentSession, provider, signOut, takeProblem, watchSession } from "./session/signIn.ts";
import { storeInTab, storedInTab } from "./session/tabStorage.ts";
import { Drafts } from "./views/review/drafts.ts";

/** The drafts of the page, until somebody signs out: what the browser does not store is in these alone. */
let drafts = new Drafts();

/** Begins the page: signed out, or with a session that ends when the reader signs out or the token ends. */
const page = document.getElementById("page");
if (page) render(<App />, page);

const NOT_OUT =
  "Signing out did not reach the server: you are still signed in. Reload the page and sign out again.";

function App() {
  const [session, setSession] = useState(() => {
    const token = storedInTab("token");
    return token === undefined ? undefined : begin(token, "load");
  });
  const [isLooking, setLooking] = useState(session === undefined && provider !== undefined);
  const [expired, setExpired] = useState(false);
  const [problem, setProblem] = useState("");
  useEffect(() => {
    const failed = takeProblem();
    if (failed !== undefined) setProblem(PROBLEMS[failed]);
    if (isLooking) void resume();
  }, []);

  /** Goes on with the session in the browser's cookie, if there is one. */
  async function resume(): Promise<void> {
    const tokenId = await currentSession();
    if (tokenId !== undefined) {
      const next = begin(undefined, "load");
      const stop = watchSession(tokenId, () => {
        // Nothing of this person may be left on the screen or in the tab.
        end(next);
        location.reload();
      });
      next.ending.push(stop);
      setSession(next);
    }
    setLooking(false);
  }

  function begin(token: string | undefined, cause: "load" | "choose"): Session {
    const next = new Session(token, cause, drafts, () => {
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

  if (isLooking) return null;
  if (!session) return <SignIn expired={expired} problem={problem} onSignIn={signIn} />;
  return (
    <SessionContext.Provider value={session}>
      <Workspace
        onSignOut={async () => {
          setExpired(false);
          setProblem(session.isOfCookie && !(await signOut()) ? NOT_OUT : "");
          end(session);
          drafts.end();
          drafts = new Drafts();
          history.replaceState(null, "", "./");
        }}
      />
    </SessionContext.Provider>
  );
}
