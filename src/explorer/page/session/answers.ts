import { useEffect, useState } from "preact/hooks";
import type { Stamp } from "../../wire/protocol.ts";
import { useLate } from "../parts/hooks.ts";
import { useCell } from "../parts/observable.ts";
import type { Client, Endpoint, Query } from "./client.ts";

/** The largest number of cached answers of one endpoint. Back shows a cached answer at once. */
const KEPT = 50;

/** The answers of one endpoint, each requested once: within a revision an answer does not change. */
export class Answers<Answer extends Stamp> {
  readonly client: Client;
  readonly #endpoint: Endpoint;
  readonly #known = new Map<string, Answer>();

  constructor(client: Client, endpoint: Endpoint) {
    this.client = client;
    this.#endpoint = endpoint;
    client.turns.subscribe(() => this.#known.clear());
  }

  known(query: Query): Answer | undefined {
    return this.#known.get(JSON.stringify(query));
  }

  async ask(query: Query, signal: AbortSignal): Promise<Answer> {
    const answer = await this.client.get<Answer>(this.#endpoint, query, signal);
    const oldest = this.#known.keys().next();
    if (this.#known.size >= KEPT && !oldest.done) this.#known.delete(oldest.value);
    this.#known.set(JSON.stringify(query), answer);
    return answer;
  }
}

export interface Asked<Answer> {
  readonly answer?: Answer;
  readonly failure?: unknown;
  again(): void;
}

/** Requests the answer to `query`, unless it is cached. Without a query, requests nothing. */
export function useAnswer<Answer extends Stamp>(
  answers: Answers<Answer>,
  query: Query | undefined,
): Asked<Answer> {
  const turn = useCell(answers.client.turns);
  const [tries, setTries] = useState(0);
  const key = `${turn} ${tries} ${JSON.stringify(query)}`;
  const [got, setGot] = useState<{ key: string; answer?: Answer; failure?: unknown }>({ key: "" });
  const known = query && answers.known(query);

  useEffect(() => {
    if (!query || known) return;
    const stop = new AbortController();
    answers.ask(query, stop.signal).then(
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
const REST = 200;

/** {@link useAnswer} for a row of a list. It waits until the row has been shown for a moment and `may` is true. */
export function useRestedAnswer<Answer extends Stamp>(
  answers: Answers<Answer>,
  query: Query,
  may = true,
): Asked<Answer> {
  const rests = useLate(may, REST);
  return useAnswer(answers, rests || answers.known(query) ? query : undefined);
}
