/** Who waits for models, and for how long (docs/operations.md). */
import { ApiError } from "../domain/error.ts";
import { currentWork } from "./turns.ts";

/** How many requests wait for one organization, and how long each, in milliseconds. */
const MOST = 200;
const LONGEST = 10_000;

/** Calls back after some milliseconds, unless it is cancelled before. */
export type Timer = (milliseconds: number, callBack: () => void) => { readonly cancel: () => void };

const timer: Timer = (milliseconds, callBack) => {
  const timeout = setTimeout(callBack, milliseconds);
  return { cancel: () => clearTimeout(timeout) };
};

/** Lets few requests wait for each organization, and none for long. */
export class Waiting {
  readonly #after: Timer;
  /** How often each waiting request waits, by organization: a page may ask for two revisions at once. */
  readonly #requests = new Map<string, Map<object, number>>();

  /** Only tests pass `after`. */
  constructor(after = timer) {
    this.#after = after;
  }

  /** How many requests wait. */
  get count(): number {
    return this.#requests.values().reduce((sum, { size }) => sum + size, 0);
  }

  /**
   * What `make` promises. Throws an ApiError (503) if too many requests wait for the organization already, or when the
   * request has waited for too long; what was begun goes on.
   */
  async for<Made>(organization: string, make: () => Promise<Made>): Promise<Made> {
    const work = currentWork();
    const request = work ?? {};
    const requests = this.#requests.get(organization) ?? new Map<object, number>();
    const times = requests.get(request) ?? 0;
    if (times === 0 && requests.size >= MOST) throw loading();
    this.#requests.set(organization, requests);
    requests.set(request, times + 1);
    if (times === 0) work?.wait?.(true);
    const { promise, resolve, reject } = Promise.withResolvers<Made>();
    const late = this.#after(LONGEST, () => reject(loading()));
    make().then(resolve, reject);
    try {
      return await promise;
    } finally {
      late.cancel();
      const left = (requests.get(request) ?? 0) - 1;
      if (left > 0) requests.set(request, left);
      else {
        requests.delete(request);
        work?.wait?.(false);
      }
      if (requests.size === 0) this.#requests.delete(organization);
    }
  }
}

function loading(): ApiError {
  return new ApiError("unavailable", "The organization is being loaded; try again.", { "retry-after": "1" });
}

/** How many past models are loaded at once. */
const MOST_LOADS = 2;

/** Has work done for callers: one work at a time for each, two at once in all. Whoever had one goes to the end. */
export class OneEach {
  readonly #working = new Set<string | undefined>();
  #waiting: { readonly caller: string | undefined; readonly begin: () => void }[] = [];

  async do<Result>(caller: string | undefined, work: () => Promise<Result>): Promise<Result> {
    await new Promise<void>((resolve) => {
      this.#waiting.push({ caller, begin: resolve });
      this.#beginNext();
    });
    try {
      return await work();
    } finally {
      this.#working.delete(caller);
      this.#beginNext();
    }
  }

  #beginNext(): void {
    while (this.#working.size < MOST_LOADS) {
      const next = this.#waiting.find(({ caller }) => !this.#working.has(caller));
      if (next === undefined) return;
      const others = this.#waiting.filter(({ caller }) => caller !== next.caller);
      const own = this.#waiting.filter((each) => each.caller === next.caller && each !== next);
      this.#waiting = [...others, ...own];
      this.#working.add(next.caller);
      next.begin();
    }
  }
}
