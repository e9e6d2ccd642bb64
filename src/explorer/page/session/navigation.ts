import { Observable } from "../parts/observable.ts";
import { type Address, format, parse, whenOf } from "./address.ts";

/** The scroll positions of the list and the page in px, and the id of the focused element. */
interface Position {
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
  readonly position?: Position;
}

/**
 * The page's use of the browser history. Choosing adds an entry, and typing replaces the current one. Back restores an
 * earlier entry.
 */
export interface Navigation {
  readonly move: Observable<Move>;
  /**
   * The WHEN of the page (contract, section 10); `undefined` for the current revision. It changes before `move`, so
   * that a new address never appears at the old WHEN.
   */
  readonly at: Observable<string | undefined>;
  /** The URL of an address, at the WHEN of the page. */
  hrefOf(address: Address): string;
  /** Shows the current address at another WHEN. */
  showAt(at: string | undefined): void;
  choose(address: Address): void;
  type(address: Address): void;
  /** Goes back if the previous entry has this address, else chooses the address. */
  goBackTo(address: Address): void;
  stop(): void;
}

interface Entry {
  readonly key: number;
  /** The URL of the previous entry. */
  readonly from?: string;
  /** The position to restore when the page is opened again. */
  readonly position?: Position;
}

/** The position is stored after this pause in scrolling, in ms. */
const REST = 200;

/** Begins to manage the history of the window. `cause` is the cause of the first move. */
export function createNavigation(cause: "load" | "choose"): Navigation {
  const positions = new Map<number, Position>();
  let entry: Entry = entryOf(history.state) ?? { key: Date.now() };
  history.scrollRestoration = "manual";
  history.replaceState(entry, "");
  const position = cause === "load" ? entry.position : undefined;
  const at = new Observable(whenOf(location.search));
  const hrefOf = (address: Address) => format(address, at.value);
  const move = new Observable<Move>({
    address: parse(location.search),
    cause,
    ...(position && { position }),
  });

  function back(event: PopStateEvent): void {
    positions.set(entry.key, whereNow());
    entry = entryOf(event.state) ?? { key: Date.now() };
    const position = positions.get(entry.key) ?? entry.position;
    at.set(whenOf(location.search));
    move.set({ address: parse(location.search), cause: "return", ...(position && { position }) });
  }
  addEventListener("popstate", back);

  // Browsers discard what a page stores while it is unloaded, so the position is stored whenever scrolling stops.
  let resting: ReturnType<typeof setTimeout> | undefined;
  function scrolled(): void {
    clearTimeout(resting);
    resting = setTimeout(() => history.replaceState({ ...entry, position: whereNow() }, ""), REST);
  }
  addEventListener("scroll", scrolled, { capture: true, passive: true });

  function choose(address: Address, when: string | undefined): void {
    const from = hrefOf(move.value.address);
    if (format(address, when) !== from) {
      positions.set(entry.key, whereNow());
      entry = { key: entry.key + 1, from };
      history.pushState(entry, "", format(address, when));
    }
    at.set(when);
    move.set({ address, cause: "choose" });
  }

  return {
    move,
    at,
    hrefOf,
    choose: (address) => choose(address, at.value),
    showAt: (when) => choose(move.value.address, when),
    type(address) {
      history.replaceState(entry, "", hrefOf(address));
      move.set({ address, cause: "type" });
    },
    goBackTo(address) {
      if (entry.from === hrefOf(address)) history.back();
      else choose(address, at.value);
    },
    stop() {
      removeEventListener("popstate", back);
      removeEventListener("scroll", scrolled, { capture: true });
      clearTimeout(resting);
    },
  };
}

function entryOf(state: unknown): Entry | undefined {
  if (typeof state !== "object" || state === null || !("key" in state) || typeof state.key !== "number")
    return undefined;
  const from = "from" in state && typeof state.from === "string" ? state.from : undefined;
  const position = "position" in state ? positionOf(state.position) : undefined;
  return { key: state.key, ...(from !== undefined && { from }), ...(position && { position }) };
}

function positionOf(state: unknown): Position | undefined {
  if (typeof state !== "object" || state === null || !("list" in state && "page" in state)) return undefined;
  const { list, page } = state;
  return typeof list === "number" && typeof page === "number" ? { list, page, focus: "" } : undefined;
}

function whereNow(): Position {
  return {
    list: document.querySelector(".scroll")?.scrollTop ?? 0,
    page: window.scrollY,
    focus: document.activeElement?.id ?? "",
  };
}
