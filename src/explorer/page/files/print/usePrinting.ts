import { useEffect } from "preact/hooks";
import type { Session } from "../../session/session.ts";
import { lay, print, unlay } from "./print.tsx";

/** Printing, by the page's button, the browser's key or its menu, prints the list that is shown. */
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
