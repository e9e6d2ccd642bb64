/** The browser's history: addresses, and the position to return to. */
import { Observable } from "../parts/observable.ts";
import { type Address, format, parse, whenOf } from "./address.ts";

/** The scroll positions of the list and the page in px, and the id of the focused element. */
interface ScrollPosition {
  readonly list: number;
  readonly page: number;
  readonly focus: string;
}

interface Move {
  readonly address: Address;
  /**
   * What brought the reader to the address: opening the page (`load`), choosingRevision it, typing into a filter, or Back and
   * Forward (`return`).
   */
  readonly cause: "load" | "choose" | "type" | "return";
  /** The position to restore: after `return`, and after `load` of a page that was left before. */
  readonly position?: ScrollPosition;
}

interface HistoryEntry {
  readonly key: number;
  /** The URL of the previous entry. */
  readonly from?: string;
  /** The position to restore when the page is opened again. */
  readonly position?: ScrollPosition;
}

/** The position is stored after this pause in scrolling, in ms. */
const SCROLL_PAUSE = 200;

/**
 * The page's use of the browser history. Choosing adds an entry, and typing replaces the current one. Back restores an
 * earlier entry.
 */
export class Navigation {
  readonly move: Observable<Move>;
  /**
   * The WHEN of the page (docs/past.md); `undefined` for the current revision. It changes before `move`, so
   * that a new address never appears at the old WHEN.
   */
  readonly at = new Observable(whenOf(location.search));
  readonly #positions = new Map<number, ScrollPosition>();
  #entry: HistoryEntry;
  #resting: ReturnType<typeof setTimeout> | undefined;

  /** Begins to manage the history of the window. `cause` is the cause of the first move. */
  constructor(cause: "load" | "choose") {
    this.#entry = entryOf(history.state);
    history.scrollRestoration = "manual";
    history.replaceState(this.#entry, "");
    this.move = new Observable(this.#moveHere(cause, cause === "load" ? this.#entry.position : undefined));
    addEventListener("popstate", this.#back);
    addEventListener("scroll", this.#scrolled, { capture: true, passive: true });
  }

  /** The URL of an address, at the WHEN of the page. */
  hrefOf(address: Address): string {
    return format(address, this.at.value);
  }

  choose(address: Address): void {
    this.#choose(address, this.at.value);
  }

  /** Shows the current address at another WHEN. */
  showAt(at: string | undefined): void {
    this.#choose(this.move.value.address, at);
  }

  type(address: Address): void {
    history.replaceState(this.#entry, "", this.hrefOf(address));
    this.move.set({ address, cause: "type" });
  }

  /** Goes back if the previous entry has this address, else chooses the address. */
  goBackTo(address: Address): void {
    if (this.#entry.from === this.hrefOf(address)) history.back();
    else this.choose(address);
  }

  stop(): void {
    removeEventListener("popstate", this.#back);
    removeEventListener("scroll", this.#scrolled, { capture: true });
    clearTimeout(this.#resting);
  }

  #choose(address: Address, at: string | undefined): void {
    const from = this.hrefOf(this.move.value.address);
    const to = format(address, at);
    if (to !== from) {
      this.#positions.set(this.#entry.key, whereNow());
      this.#entry = { key: this.#entry.key + 1, from };
      history.pushState(this.#entry, "", to);
    }
    this.at.set(at);
    this.move.set({ address, cause: "choose" });
  }

  #moveHere(cause: Move["cause"], position: ScrollPosition | undefined): Move {
    return { address: parse(location.search), cause, ...(position && { position }) };
  }

  readonly #back = (event: PopStateEvent): void => {
    this.#positions.set(this.#entry.key, whereNow());
    this.#entry = entryOf(event.state);
    this.at.set(whenOf(location.search));
    this.move.set(this.#moveHere("return", this.#positions.get(this.#entry.key) ?? this.#entry.position));
  };

  /** Browsers discard what a page stores while it is unloaded, so the position is stored whenever scrolling stops. */
  readonly #scrolled = (): void => {
    clearTimeout(this.#resting);
    const store = () => history.replaceState({ ...this.#entry, position: whereNow() }, "");
    this.#resting = setTimeout(store, SCROLL_PAUSE);
  };
}

/** The stored entry, or a new one. */
function entryOf(state: unknown): HistoryEntry {
  if (typeof state !== "object" || state === null || !("key" in state) || typeof state.key !== "number")
    return { key: Date.now() };
  const from = "from" in state && typeof state.from === "string" ? state.from : undefined;
  const position = "position" in state ? positionOf(state.position) : undefined;
  return { key: state.key, ...(from !== undefined && { from }), ...(position && { position }) };
}

function positionOf(state: unknown): ScrollPosition | undefined {
  if (typeof state !== "object" || state === null || !("list" in state && "page" in state)) return undefined;
  const { list, page } = state;
  return typeof list === "number" && typeof page === "number" ? { list, page, focus: "" } : undefined;
}

function whereNow(): ScrollPosition {
  return {
    list: document.querySelector(".scroll")?.scrollTop ?? 0,
    page: window.scrollY,
    focus: document.activeElement?.id ?? "",
  };
}
