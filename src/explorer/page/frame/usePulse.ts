import { useEffect } from "preact/hooks";
import type { Client } from "../session/ask/client.ts";

/** How often the page asks whether there is a newer import, in ms, while it is looked at. */
const PULSE = 60_000;
/** On coming back to the page it asks at once, unless it just did. */
const RECENT = 10_000;

/** Asks who one is, at first and from time to time: sees new imports and a revoked token without a click. */
export function usePulse(client: Client): void {
  useEffect(() => {
    let asked = 0;
    function ask(): void {
      if (document.hidden) return;
      asked = Date.now();
      client.refresh().catch(() => {});
    }
    function look(): void {
      if (Date.now() - asked > RECENT) ask();
    }
    ask();
    const timer = setInterval(ask, PULSE);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [client]);
}
