import { useEffect } from "preact/hooks";
import type { Session } from "../../session/session.ts";
import { lay, print, unlay } from "./print.tsx";

/** Prints the shown list for the page's button, the browser's shortcut and its menu. */
export function usePrinting(session: Session): void {
  useEffect(() => {
    const before = () => lay(session);
    function key(event: KeyboardEvent): void {
      const plain = (event.ctrlKey || event.metaKey) && !event.shiftKey && !event.altKey;
      if (!plain || event.key.toLowerCase() !== "p" || !session.printable) return;
      event.preventDefault();
      void print(session);
    }
    addEventListener("beforeprint", before);
    addEventListener("afterprint", unlay);
    addEventListener("keydown", key);
    return () => {
      removeEventListener("beforeprint", before);
      removeEventListener("afterprint", unlay);
      removeEventListener("keydown", key);
      unlay();
    };
  }, [session]);
}
