/** Signing in with the provider: a session is in a cookie that no script can read, and holds in all tabs at once. */
import type { Me } from "../../wire/answers.ts";
import { SIGN_IN_META, SIGN_IN_PATHS, SIGN_IN_PROBLEMS, type SignInProblem } from "../../wire/protocol.ts";
import { storeInTab, storedInTab } from "./tabStorage.ts";

/** The longest way back that the server accepts. */
const LONGEST_BACK = 2000;
const TABS = "rolebook.session";
const TAB_KEY = "session";

/** The host of the provider; `undefined` if sign-in is not set up. */
export const provider = document.querySelector<HTMLMetaElement>(`meta[name="${SIGN_IN_META}"]`)?.content;

function urlOf(path: string): URL {
  return new URL(path.slice(1), document.baseURI);
}

/** Where signing in begins; it leads back to the present address. */
export function signInAddress(): string {
  const url = urlOf(SIGN_IN_PATHS.begin);
  const { search } = location;
  if (search !== "" && search.length < LONGEST_BACK) url.searchParams.set("to", search);
  return url.href;
}

/** Why the last sign-in failed. Removes it from the address. */
export function takeProblem(): SignInProblem | undefined {
  const query = new URLSearchParams(location.search);
  const problem = SIGN_IN_PROBLEMS.find((each) => each === query.get("sign-in"));
  if (query.has("sign-in")) history.replaceState(history.state, "", "./");
  return problem;
}

/** The id of the session of this browser; `undefined` if there is none. */
export async function currentSession(): Promise<string | undefined> {
  if (provider === undefined) return undefined;
  try {
    const response = await fetch(urlOf("/explorer/me"), { cache: "no-store", redirect: "error" });
    if (!response.ok) return undefined;
    const { tokenId }: Me = await response.json();
    // What the tab keeps of another person is not for this one.
    if (storedInTab(TAB_KEY) !== tokenId) storeInTab("report", undefined);
    storeInTab(TAB_KEY, tokenId);
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel, not a window
    tabs.postMessage(tokenId);
    return tokenId;
  } catch {
    return undefined;
  }
}

const tabs = new BroadcastChannel(TABS);

/** Calls `changed` when another person signs in in this browser, or this one signs out, in whichever tab. */
export function watchSession(tokenId: string, changed: () => void): () => void {
  const stop = new AbortController();
  const { signal } = stop;
  const hear = ({ data }: MessageEvent) => data !== tokenId && changed();
  tabs.addEventListener("message", hear, { signal });
  // A page that the browser kept as it was may be that of somebody who has signed out since.
  addEventListener("pageshow", ({ persisted }) => persisted && changed(), { signal });
  return () => stop.abort();
}

/** Ends the session. Returns whether the server did; it is asked once. */
export async function signOut(): Promise<boolean> {
  try {
    const { type } = await fetch(urlOf(SIGN_IN_PATHS.out), { method: "POST", redirect: "manual" });
    const isOut = type === "opaqueredirect";
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel, not a window
    if (isOut) tabs.postMessage("");
    return isOut;
  } catch {
    return false;
  }
}
