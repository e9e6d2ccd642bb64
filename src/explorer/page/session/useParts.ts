import { useEffect, useRef, useState } from "preact/hooks";
import { useCell } from "../parts/observable.ts";
import { useSession } from "./session.ts";

/** A value that takes several requests. `known` combines the parts so far. */
export interface Parts<Known> {
  readonly known: Known;
  readonly state: "reading" | "whole" | "cancelled" | "failed";
  readonly failure?: unknown;
  cancel(): void;
  /** Continues after a cancellation or a failure. */
  again(): void;
}

/** Requests the next part. Returns it combined with the earlier ones, and whether it is the last one. */
export type Next<Known> = (
  known: Known,
  signal: AbortSignal,
) => Promise<readonly [known: Known, whole: boolean]>;

/**
 * Requests the parts of a value, beginning with `nothing`, until it is complete or the reader cancels. Begins again
 * when `key` or the shown revision changes. Without a key, requests nothing.
 */
export function useParts<Known>(key: string | undefined, nothing: Known, next: Next<Known>): Parts<Known> {
  const { client } = useSession();
  const turn = useCell(client.turns);
  const [read, setRead] = useState<Omit<Parts<Known>, "cancel" | "again">>({
    known: nothing,
    state: "reading",
  });
  const stop = useRef(new AbortController());

  async function go(from: Known): Promise<void> {
    stop.current.abort();
    const { signal } = (stop.current = new AbortController());
    let known = from;
    try {
      for (let whole = false; !whole;) {
        setRead({ known, state: "reading" });
        [known, whole] = await next(known, signal);
        signal.throwIfAborted();
      }
      setRead({ known, state: "whole" });
    } catch (failure) {
      if (!signal.aborted) setRead({ known, state: "failed", failure });
    }
  }

  useEffect(() => {
    if (key !== undefined) void go(nothing);
    return () => stop.current.abort();
  }, [client, turn, key]);

  return {
    ...read,
    cancel() {
      stop.current.abort();
      setRead({ ...read, state: "cancelled" });
    },
    again: () => void go(read.known),
  };
}
