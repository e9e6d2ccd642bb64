import { useEffect } from "preact/hooks";
import type { Client } from "../session/ask/client.ts";

/** How often a visible page checks for a newer revision, in ms. */
const INTERVAL = 60_000;
/** A page that becomes visible checks at once, unless it did so less than this time (ms) ago. */
const RECENT = 10_000;

/** Requests `me` when the page opens and then regularly, to notice new revisions and a revoked token. */
export function useFreshness(client: Client): void {
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
    const timer = setInterval(ask, INTERVAL);
    document.addEventListener("visibilitychange", look);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", look);
    };
  }, [client]);
}
