import { useEffect, useRef, useState } from "preact/hooks";
import { useDelayed } from "../parts/hooks.ts";
import { useValue } from "../parts/observable.ts";
import type { AnswerOf } from "./answers.ts";
import type { QueryValues } from "./client.ts";
import { useSession } from "./session.ts";

/** How components ask: one answer of the session, the same for a row that rests, or a value that takes several answers. */
export interface AskedAnswer<Answer> {
  readonly answer?: Answer;
  readonly failure?: unknown;
  again(): void;
}

/** Requests the answer to `query`, unless it is cached. Without a query, requests nothing. */
export function useAnswer<Question extends keyof AnswerOf>(
  question: Question,
  query: QueryValues | undefined,
): AskedAnswer<AnswerOf[Question]> {
  const session = useSession();
  const { answers } = session;
  const turn = useValue(session.client.reloads);
  const [tries, setTries] = useState(0);
  const key = `${turn} ${tries} ${JSON.stringify(query)}`;
  const [got, setGot] = useState<{ key: string; answer?: AnswerOf[Question]; failure?: unknown }>({
    key: "",
  });
  const known = query && answers.known(question, query);

  useEffect(() => {
    if (!query || known) return;
    const stop = new AbortController();
    answers.ask(question, query, stop.signal).then(
      (answer) => stop.signal.aborted || setGot({ key, answer }),
      (failure: unknown) => stop.signal.aborted || setGot({ key, failure }),
    );
    return () => stop.abort();
  }, [answers, key]);

  const again = () => setTries((n) => n + 1);
  if (known) return { answer: known, again };
  if (got.key !== key) return { again };
  return {
    ...(got.answer && { answer: got.answer }),
    ...(got.failure !== undefined && { failure: got.failure }),
    again,
  };
}

/** A row sends its request after this time (ms), so that scrolling past it sends none. */
const ROW_PAUSE = 200;

/** {@link useAnswer} for a row of a list. It waits until the row has been shown for a moment and `may` is true. */
export function useRestedAnswer<Question extends keyof AnswerOf>(
  question: Question,
  query: QueryValues,
  may = true,
): AskedAnswer<AnswerOf[Question]> {
  const known = useSession().answers.known(question, query);
  const rests = useDelayed(may, ROW_PAUSE);
  return useAnswer(question, rests || known ? query : undefined);
}

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
  const turn = useValue(client.reloads);
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
