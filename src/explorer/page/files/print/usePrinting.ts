import { useEffect } from "preact/hooks";
import type { Session } from "../../session/session.ts";
import { lay, print, unlay } from "./print.tsx";

/** Makes the browser's print command and its shortcut print the whole list, as the Print button does. */
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
