/** What rows show of their contents besides the row itself: the rows on the screen ask together, in one request. */
import { useMemo } from "preact/hooks";
import { useDelayed } from "../parts/hooks.ts";
import { Observable, useValue } from "../parts/observable.ts";
import { useSession } from "./session.ts";

/** The largest number of contents in a request. */
const MOST_CONTENTS = 100;
/** A row asks after this time (ms), so that scrolling past it asks nothing. */
const ROW_PAUSE = 200;
/** What is wanted within this time (ms) is one request. */
const WAIT = 50;

type Known<Value> = Readonly<Record<string, Value>>;

export class ByContent<Value> {
  readonly known = new Observable<Known<Value>>({});
  readonly #ask: (contents: string) => Promise<Known<Value> | undefined>;
  readonly #asked = new Set<string>();
  #waiting: string[] = [];

  constructor(ask: (contents: string) => Promise<Known<Value> | undefined>) {
    this.#ask = ask;
  }

  want(key: string): void {
    if (this.#asked.has(key)) return;
    this.#asked.add(key);
    if (this.#waiting.push(key) === 1) setTimeout(() => void this.#send(), WAIT);
  }

  async #send(): Promise<void> {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (let from = 0; from < waiting.length; from += MOST_CONTENTS) {
      const keys = waiting.slice(from, from + MOST_CONTENTS);
      try {
        const found = await this.#ask(keys.join());
        this.known.set({ ...this.known.value, ...found });
      } catch {
        // The rows keep their dash, and ask again when they are shown again.
        for (const key of keys) this.#asked.delete(key);
      }
    }
  }
}

/** What `ask` answers about contents. Begins anew when `key` or the shown revision changes. */
export function useByContent<Value>(
  key: string,
  ask: (contents: string) => Promise<Known<Value> | undefined>,
): ByContent<Value> {
  const turn = useValue(useSession().client.reloads);
  return useMemo(() => new ByContent(ask), [key, turn]);
}

/** What is known of the content of a row. It is asked for when the row has been shown for a moment and `may` is true. */
export function useOfContent<Value>(of: ByContent<Value>, key: string, may = true): Value | undefined {
  if (useDelayed(may, ROW_PAUSE)) of.want(key);
  return useValue(of.known)[key];
}
