import { Cell } from "../../parts/cell.ts";
import { format, parse, whenOf, type Address } from "./address.ts";

/** The scroll position and the focused element's id of a history entry. */
interface Position {
  readonly list: number;
  readonly page: number;
  readonly focus: string;
}

/** A move to an address: the address, and why the page shows it. */
interface Move {
  readonly address: Address;
  /** Why the address is shown: `load` by opening it, `choose` and `type` by the reader, `return` by Back or Forward. */
  readonly cause: "load" | "choose" | "type" | "return";
  /** The position to restore, after `return` and after `load` of a page that was open before. */
  readonly position?: Position;
}

/**
 * The page's use of the browser history: a choice adds an entry, typing replaces the current entry, and Back restores
 * an earlier one.
 */
export interface Walk {
  readonly move: Cell<Move>;
  /**
   * The shown WHEN; `undefined` for the current revision. Set before `move`, so that a new address is never shown at
   * the old WHEN.
   */
  readonly at: Cell<string | undefined>;
  /** The link to an address at the same WHEN. */
  hrefOf(address: Address): string;
  /** Shows the same address at another WHEN. */
  lookAt(at: string | undefined): void;
  choose(address: Address): void;
  type(address: Address): void;
  /** Goes to `address`: by Back if it is the previous entry, otherwise by a new one. */
  leaveTo(address: Address): void;
  stop(): void;
}

interface Entry {
  readonly key: number;
  /** The address of the previous entry. */
  readonly from?: string;
  /** The position when the reader left the page. It is restored when the page is opened again. */
  readonly position?: Position;
}

/** The pause in scrolling before the position is stored, in ms. */
const REST = 200;

/** Manages the history of the window. `cause` is that of the first move. */
export function createWalk(cause: "load" | "choose"): Walk {
  const positions = new Map<number, Position>();
  let entry: Entry = entryOf(history.state) ?? { key: Date.now() };
  history.scrollRestoration = "manual";
  history.replaceState(entry, "");
  const position = cause === "load" ? entry.position : undefined;
  const at = new Cell(whenOf(location.search));
  const hrefOf = (address: Address) => format(address, at.value);
  const move = new Cell<Move>({ address: parse(location.search), cause, ...(position && { position }) });

  function back(event: PopStateEvent): void {
    positions.set(entry.key, whereNow());
    entry = entryOf(event.state) ?? { key: Date.now() };
    const position = positions.get(entry.key) ?? entry.position;
    at.set(whenOf(location.search));
    move.set({ address: parse(location.search), cause: "return", ...(position && { position }) });
  }
  addEventListener("popstate", back);

  // Stored when scrolling stops: writes during unload are lost.
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
    lookAt: (when) => choose(move.value.address, when),
    type(address) {
      history.replaceState(entry, "", hrefOf(address));
      move.set({ address, cause: "type" });
    },
    leaveTo(address) {
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
