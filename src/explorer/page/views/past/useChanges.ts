import { useEffect, useRef, useState } from "preact/hooks";
import type { Change, ChangesAnswer } from "../../../wire/past.ts";
import type { Query } from "../../session/ask/client.ts";
import { useCell } from "../../parts/cell.ts";
import { useSession } from "../../session/session.ts";

/** The revisions that changed a subject, as far as they were checked. */
export interface Changes {
  readonly changes: readonly Change[];
  /** The numbers of checked and of all revisions. */
  readonly done: number;
  readonly of: number;
  readonly state: "looking" | "whole" | "cancelled" | "failed";
  readonly failure?: unknown;
  cancel(): void;
  /** Continues, or begins again. */
  again(): void;
}

type Known = Omit<Changes, "cancel" | "again"> & { readonly next?: number };
const NOTHING: Known = { changes: [], done: 0, of: 0, state: "looking" };

/** Checks the revisions in parts, until all are checked or it is cancelled. */
export function useChanges(thing: Query): Changes {
  const { client } = useSession();
  const turn = useCell(client.turns);
  const [known, setKnown] = useState(NOTHING);
  const stop = useRef(new AbortController());

  async function look(from: Known): Promise<void> {
    stop.current.abort();
    const own = new AbortController();
    stop.current = own;
    let now: Known = { ...from, state: "looking" };
    setKnown(now);
    try {
      while (now.state === "looking") {
        const query = { ...thing, before: now.next };
        const answer: ChangesAnswer = await client.get("changes", query, own.signal);
        const { changes, done, of, next } = answer;
        const state = next === undefined ? "whole" : "looking";
        now = { changes: [...now.changes, ...changes], done, of, state, ...(next !== undefined && { next }) };
        setKnown(now);
      }
    } catch (failure) {
      if (!own.signal.aborted) setKnown((before) => ({ ...before, state: "failed", failure }));
    }
  }

  useEffect(() => {
    void look(NOTHING);
    return () => stop.current.abort();
  }, [client, turn, JSON.stringify(thing)]);

  return {
    ...known,
    cancel() {
      stop.current.abort();
      setKnown((before) => ({ ...before, state: "cancelled" }));
    },
    again: () => void look(known),
  };
}
