import { Cell } from "../../parts/cell.ts";
import { format, parse, whenOf, type Address } from "./address.ts";

/** Where one was on a page of the history: scrolled to, and focused on (an element's id). */
interface Position {
  readonly list: number;
  readonly page: number;
  readonly focus: string;
}

/** How the page came to its address. */
interface Move {
  readonly address: Address;
  /** `load` by opening it, `choose` and `type` by the reader, `return` by Back or Forward. */
  readonly cause: "load" | "choose" | "type" | "return";
  /** With `return`, and `load` of what was open before: where one was. */
  readonly position?: Position;
}

/** The browser's history as the page uses it: choosing pushes, typing replaces, Back restores. */
export interface Walk {
  readonly move: Cell<Move>;
  /** As of when the page is; `undefined` for now. Set before the move that leads there. */
  readonly at: Cell<string | undefined>;
  /** The link to an address, as of the same time. */
  hrefOf(address: Address): string;
  /** Shows the same as of another time. */
  lookAt(at: string | undefined): void;
  choose(address: Address): void;
  type(address: Address): void;
  /** Goes to `address`: by Back where that is where one came from, otherwise by choosing it. */
  leaveTo(address: Address): void;
  stop(): void;
}

interface Entry {
  readonly key: number;
  /** The address that this one was chosen from. */
  readonly from?: string;
  /** Where one was on it when the page was left: opened again it is there. */
  readonly position?: Position;
}

/** How long scrolling has to rest before its place is kept, in ms. */
const REST = 200;

/** Takes over the history of the window. `cause` is that of the first move. */
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

  // Kept where one stops: what is written while a page goes away is not there when it is opened again.
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
