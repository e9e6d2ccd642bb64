/**
 * What the callers of a process share, and how it is divided (docs/decisions/0024-a-quarter-for-each-caller.md).
 *
 * A request waits for its turn in the line of its caller ({@link Load.take}); the lines take turns. From then until its
 * answer is sent, it holds a part of what is shared. A caller who holds more than a quarter of a budget waits while
 * others ask or the budget is used up, and counts for others as if it held a quarter: it can take all that nobody asks
 * for, and keeps nobody out.
 */
import type { IncomingMessage } from "node:http";
import type { Socket } from "node:net";
import { ApiError } from "../domain/error.ts";
import { DEFAULT_LIMIT, MAX_LIMIT } from "../domain/page.ts";

/**
 * All that callers share, each with what one of them may hold while nobody else asks. Together they hold up to 1¾ of it:
 * one caller all, and others three quarters.
 */
const SHARED = {
  /** The requests that wait for their turn. */
  waiting: 10_000,
  /** The requests in progress. A slow remote database can cause many. */
  working: 1_000,
  /** The entries for which the requests in progress ask together. */
  asked: 100_000,
  /** The bytes of answers that are not sent yet. */
  unsent: 144 << 20,
  /** The open connections. They count for addresses, and are never more than this. */
  connections: 10_000,
};

export type Shared = keyof typeof SHARED;

/** What a caller may hold of each budget while others ask. */
const SHARE = 1 / 4;

/** The budgets that decide whether a request begins. */
const OF_REQUESTS = ["working", "asked", "unsent"] as const;

/**
 * How long others count as asking after a request, in milliseconds. If it were shorter, whoever asks again after each
 * answer would always meet what another took meanwhile.
 */
const REMEMBERED = 1_000;

/** A request is refused if it has waited for its turn for longer than this, in milliseconds. */
const LONGEST_WAIT = 3_000;

/** The time limit for a connection on which no byte is sent or received, in milliseconds. */
export const LONGEST_SILENCE = 60_000;
/**
 * The same limit for a caller with unread answers that hold more than its share, while others need it. Node closes a
 * connection when its client has read nothing for one to two times as long.
 */
const SHORT_SILENCE = 1_000;

export type LoadLimits = Partial<typeof SHARED & { readonly wait: number; readonly remembered: number }>;

interface Waiting {
  readonly request: IncomingMessage;
  readonly entries: number;
  readonly since: number;
  readonly start: Start;
}

/** Begins a request of a caller whose turn it is, or refuses it. */
type Start = (caller: Caller, isRefused: boolean) => void;

/** A caller, with all that it holds (`callers.ts` names callers). */
export class Caller {
  readonly name: string;
  readonly held: Record<Shared, number> = { waiting: 0, working: 0, asked: 0, unsent: 0, connections: 0 };
  /** The requests that wait for their turn, in order of arrival. */
  readonly line: Waiting[] = [];
  /** Whether it is one of those who hold anything. */
  isKnown = false;

  constructor(name: string) {
    this.name = name;
  }

  get holdsNothing(): boolean {
    const { waiting, working, unsent, connections } = this.held;
    return waiting === 0 && working === 0 && unsent === 0 && connections === 0;
  }
}

/** One thing that all callers share. */
class Budget {
  readonly size: number;
  readonly share: number;
  total = 0;
  /** The total, to which each caller adds its share at most. */
  counted = 0;

  constructor(size: number) {
    this.size = size;
    this.share = size * SHARE;
  }

  /** Adds to what a caller holds of it; `by` may be negative. Returns what the caller holds then. */
  change(held: number, by: number): number {
    const { share } = this;
    this.total += by;
    this.counted += Math.min(held + by, share) - Math.min(held, share);
    return held + by;
  }

  get isUsedUp(): boolean {
    return this.total >= this.size;
  }

  /** Whether the shares of all callers together use the budget up: the server is overloaded, and by no single caller. */
  get isOverloaded(): boolean {
    return this.counted >= this.size;
  }
}

/** The most requests in a group, and the most entries for which they ask together. */
const MOST_TOGETHER = 8;
const MOST_ENTRIES = MOST_TOGETHER * DEFAULT_LIMIT;

export class Load {
  readonly #budgets: Readonly<Record<Shared, Budget>>;
  readonly #longestWait: number;
  readonly #remembered: number;
  /** Those who hold anything, by name. */
  readonly #callers = new Map<string, Caller>();
  /** Those with waiting requests; whoever had a turn goes to the end. */
  readonly #lines = new Set<Caller>();
  /** Who sent the last request, and who the last one before of another caller, with the times of these requests. */
  #last = { name: "", at: -Infinity };
  #lastOther = { name: "", at: -Infinity };
  #isStarting = false;
  /** Looks at the waiting requests again, if no answer that ends does. */
  #late: NodeJS.Timeout | undefined;
  /** The requests whose answers are not sent yet, and the open connections, each with its caller. */
  readonly unread = new Map<IncomingMessage, Caller>();
  readonly #connections = new Map<Socket, Caller>();
  /** The connections that have the short limit now. */
  readonly #hurried = new Set<Socket>();
  /** The requests whose answer is not sent completely. */
  answers = 0;

  /** Only tests pass `limits`. */
  constructor({ wait = LONGEST_WAIT, remembered = REMEMBERED, ...limits }: LoadLimits = {}) {
    const sizes = { ...SHARED, ...limits };
    this.#longestWait = wait;
    this.#remembered = remembered;
    this.#budgets = {
      waiting: new Budget(sizes.waiting),
      working: new Budget(sizes.working),
      asked: new Budget(sizes.asked),
      unsent: new Budget(sizes.unsent),
      connections: new Budget(sizes.connections),
    };
  }

  /** All requests that came and are not answered completely. */
  get open(): number {
    return this.total("waiting") + this.answers;
  }

  total(budget: Shared): number {
    return this.#budgets[budget].total;
  }

  /** How much of each budget is used, by what one caller may hold alone: more than 1 if others hold something beside it. */
  used(): [of: string, ratio: number][] {
    return Object.entries(this.#budgets).map(([of, { total, size }]) => [of, total / size]);
  }

  /** The caller with this name. It is forgotten when it holds nothing, so change what it holds at once. */
  caller(name: string): Caller {
    return this.#callers.get(name) ?? new Caller(name);
  }

  // Each request changes most budgets twice. A method for each of them is faster than one for all that gets its name.

  /** A request of the caller, for so many entries, begins (1), or its answer is made (-1). */
  work(caller: Caller, by: 1 | -1, asked: number): void {
    const { held } = caller;
    held.working = this.#budgets.working.change(held.working, by);
    held.asked = this.#budgets.asked.change(held.asked, by * asked);
    this.#changed(caller, by);
  }

  /** Adds to the bytes of a caller's unsent answers; `by` may be negative. */
  send(caller: Caller, by: number): void {
    if (by === 0) return;
    const { held } = caller;
    held.unsent = this.#budgets.unsent.change(held.unsent, by);
    this.#changed(caller, by);
    if (by < 0 && this.#hurried.size > 0) this.#endHurry();
  }

  #wait(caller: Caller, by: 1 | -1): void {
    const { held } = caller;
    held.waiting = this.#budgets.waiting.change(held.waiting, by);
    this.#changed(caller, by);
  }

  #connect(caller: Caller, by: 1 | -1): void {
    const { held } = caller;
    held.connections = this.#budgets.connections.change(held.connections, by);
    this.#changed(caller, by);
  }

  /** Remembers or forgets a caller after a change of what it holds. What is given back may be another's turn. */
  #changed(caller: Caller, by: number): void {
    const isKnown = !caller.holdsNothing;
    if (isKnown !== caller.isKnown) {
      caller.isKnown = isKnown;
      if (isKnown) this.#callers.set(caller.name, caller);
      else this.#callers.delete(caller.name);
    }
    if (by < 0 && this.#lines.size > 0) this.#startSoon();
  }

  /**
   * Calls `start` when it is the request's turn; never if the client has disconnected by then. `isRefused` says that the
   * server is overloaded, which costs less to say than an answer. A request that is not for a page (`entries` is
   * `undefined`) ends its group, because it may take long.
   */
  take(name: string, request: IncomingMessage, entries: number | undefined, start: Start): void {
    const caller = this.caller(name);
    const since = performance.now();
    if (this.#last.name !== name) this.#lastOther = this.#last;
    this.#last = { name, at: since };
    if (this.#budgets.waiting.isOverloaded || this.#givesWay(caller, ["waiting"], since)) {
      start(caller, true);
      return;
    }
    caller.line.push({ request, entries: entries ?? MOST_ENTRIES, since, start });
    this.#lines.add(caller);
    this.#wait(caller, 1);
    this.#startSoon();
  }

  #startSoon(): void {
    if (this.#isStarting) return;
    this.#isStarting = true;
    clearTimeout(this.#late);
    setImmediate(() => this.#startGroup());
  }

  /**
   * Starts requests in groups: one group in each turn of the event loop. Between groups, the server reads new input and
   * answers probes.
   *
   * The requests of a group advance together. Each of their steps finds its code and data in the processor's caches,
   * which takes a fifth less CPU per page than one request after the other.
   */
  #startGroup(): void {
    const now = performance.now();
    let entries = 0;
    let isLeft = true;
    for (let count = 0; isLeft && count < MOST_TOGETHER && entries < MOST_ENTRIES; count++) {
      const next = this.#next(now);
      if (next !== undefined) entries += next.entries;
      isLeft = next !== undefined;
    }
    this.#isStarting = false;
    if (this.#lines.size === 0) return;
    if (isLeft) this.#startSoon();
    else this.#late = setTimeout(() => this.#startSoon(), REMEMBERED).unref();
  }

  /** Starts the next request whose turn it is; `undefined` if all that wait must go on waiting. */
  #next(now: number): Waiting | undefined {
    for (const caller of this.#lines) {
      for (let [first] = caller.line; first !== undefined; [first] = caller.line) {
        const waited = now - first.since;
        const isGone = first.request.socket.destroyed;
        const isRefused = waited > this.#longestWait || this.#isOverloaded;
        if (!isGone && !isRefused && this.#givesWay(caller, OF_REQUESTS, now)) break;
        this.#leave(caller);
        if (isGone) continue;
        if (!isRefused) this.#hurryOthers(caller);
        first.start(caller, isRefused);
        return first;
      }
    }
    return undefined;
  }

  /** Removes the first request of a line, which goes to the end of the lines. */
  #leave(caller: Caller): void {
    caller.line.shift();
    this.#lines.delete(caller);
    if (caller.line.length > 0) this.#lines.add(caller);
    this.#wait(caller, -1);
  }

  get #isOverloaded(): boolean {
    return OF_REQUESTS.some((each) => this.#budgets[each].isOverloaded);
  }

  #isAbove({ held }: Caller, budget: Shared): boolean {
    return held[budget] > this.#budgets[budget].share;
  }

  /** Whether a caller has more than its share of a budget that others need too, or that is used up. */
  #givesWay(caller: Caller, budgets: readonly Shared[], now: number): boolean {
    const other = this.#last.name === caller.name ? this.#lastOther : this.#last;
    return budgets.some(
      (each) =>
        this.#isAbove(caller, each) && (now - other.at < this.#remembered || this.#budgets[each].isUsedUp),
    );
  }

  /** When a caller begins although the bytes of unsent answers are used up, those above their share must read soon. */
  #hurryOthers(caller: Caller): void {
    if (!this.#budgets.unsent.isUsedUp || this.#isAbove(caller, "unsent")) return;
    for (const [{ socket }, other] of this.unread) {
      // Setting it again would begin the time again.
      if (socket.timeout === SHORT_SILENCE || !this.#isAbove(other, "unsent")) continue;
      socket.setTimeout(SHORT_SILENCE);
      this.#hurried.add(socket);
    }
  }

  #endHurry(): void {
    if (this.#budgets.unsent.isUsedUp) return;
    for (const socket of this.#hurried) {
      if (socket.timeout === SHORT_SILENCE) socket.setTimeout(LONGEST_SILENCE);
    }
    this.#hurried.clear();
  }

  /**
   * Counts a new connection. If there are too many, closes one on which no answer is under way (`isIdle`) of an address
   * above its share, or else the new one.
   */
  connect(name: string, socket: Socket, isIdle: (socket: Socket) => boolean): void {
    const caller = this.caller(name);
    if (this.#budgets.connections.isUsedUp) {
      const closed = this.#isAbove(caller, "connections") ? undefined : this.#idleOfOthers(isIdle);
      if (closed === undefined) {
        socket.destroy();
        return;
      }
      closed.destroy();
    }
    this.#connections.set(socket, caller);
    this.#connect(caller, 1);
    socket.once("close", () => {
      this.#connections.delete(socket);
      this.#connect(caller, -1);
    });
  }

  #idleOfOthers(isIdle: (socket: Socket) => boolean): Socket | undefined {
    for (const [socket, other] of this.#connections) {
      if (this.#isAbove(other, "connections") && !socket.destroyed && isIdle(socket)) return socket;
    }
    return undefined;
  }
}

export function overloaded(): ApiError {
  return new ApiError("unavailable", "The server is overloaded; try again.", { "retry-after": "1" });
}

/** Estimates how many entries a URL asks for. Its query is not validated yet. */
export function entriesOf(url: string): number {
  const [, limit] = /[?&]limit=(\d{1,4})(?:&|$)/.exec(url) ?? [];
  return limit === undefined ? DEFAULT_LIMIT : Math.min(Number(limit), MAX_LIMIT);
}
