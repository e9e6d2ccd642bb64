import { useEffect, useRef, useState } from "preact/hooks";
import type { Effect } from "../../../../domain/explanation/effect.ts";
import type { WithoutAnswer } from "../../../wire/differences.ts";
import { useCell } from "../../parts/cell.ts";
import { useSession } from "../../session/session.ts";

/** The number of people who differ anywhere without a source, as far as counted. */
export interface People {
  readonly answer?: WithoutAnswer;
  readonly counts?: Effect;
  /** The counted part, from 0 to 1. */
  readonly done: number;
  readonly state: "counting" | "whole" | "cancelled" | "failed";
  readonly failure?: unknown;
  cancel(): void;
  again(): void;
}

/** Counts people in parts, until all are counted or the count is cancelled. Counts nothing if `source` is absent. */
export function usePeople(source: string | undefined): People {
  const { client } = useSession();
  const turn = useCell(client.turns);
  const [tries, setTries] = useState(0);
  const [known, setKnown] = useState<Omit<People, "cancel" | "again">>({ done: 0, state: "counting" });
  const stop = useRef(new AbortController());

  useEffect(() => {
    if (source === undefined) return;
    const own = new AbortController();
    stop.current = own;
    setKnown({ done: 0, state: "counting" });
    async function count(without: string): Promise<void> {
      let counts: Effect = { lost: 0, lowered: 0, raised: 0, gained: 0 };
      for (let from = 0; ;) {
        const answer = await client.get<WithoutAnswer>("without", { without, from }, own.signal);
        const { people } = answer;
        if (own.signal.aborted || people === undefined) return;
        counts = {
          lost: counts.lost + people.counts.lost,
          lowered: counts.lowered + people.counts.lowered,
          raised: counts.raised + people.counts.raised,
          gained: counts.gained + people.counts.gained,
        };
        const whole = people.done >= people.of;
        const done = whole ? 1 : people.done / people.of;
        setKnown({ answer, counts, done, state: whole ? "whole" : "counting" });
        if (whole) return;
        from = people.done;
      }
    }
    count(source).catch((failure: unknown) => {
      if (!own.signal.aborted) setKnown((before) => ({ ...before, state: "failed", failure }));
    });
    return () => own.abort();
  }, [client, source, turn, tries]);

  return {
    ...known,
    cancel() {
      stop.current.abort();
      setKnown((before) => ({ ...before, state: "cancelled" }));
    },
    again: () => setTries((n) => n + 1),
  };
}
