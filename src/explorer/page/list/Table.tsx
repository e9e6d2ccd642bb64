/**
 * A list as a table. Only the rows near the visible part are in the document; arrow keys move the focus from row to
 * row.
 */
import { Component, type ComponentChildren } from "preact";
import { useLayoutEffect, useMemo, useRef, useState } from "preact/hooks";
import { SameNamed } from "../parts/Link.tsx";
import { TWO_LINES, useDelayed, useMedia } from "../parts/hooks.ts";
import { keyFor } from "../parts/keys.ts";
import { useValue } from "../parts/observable.ts";
import { drawnPieces, useWindow } from "../parts/window.ts";
import type { RowSource } from "../session/rows.ts";
import { useSession } from "../session/session.ts";
import { type Named, type NamedPerson, type NamedThing, sameNamed } from "../words/names.ts";

export interface Column<Row> {
  readonly head: ComponentChildren;
  /** The CSS class of the cells; it sets the width. */
  readonly class: string;
  readonly sort?: "ascending" | "descending";
  cell(row: Row): ComponentChildren;
}

/** A column; `look` is the CSS class of its cells. */
export function column<Row>(
  head: ComponentChildren,
  look: string,
  cell: (row: Row) => ComponentChildren,
): Column<Row> {
  return { head, class: look, cell };
}

export interface TableProps<Row> {
  readonly list: RowSource<Row>;
  readonly caption: string;
  /** The first column has the row headers. */
  readonly columns: readonly Column<Row>[];
  rowId(row: Row): string;
  /** The names that a row shows, each with the text beside it; by default those of its user, team, space and content. */
  named?(row: Row | undefined): readonly Named[];
  /** Rows with different values are separated by a stronger line. */
  step?(row: Row): string;
  /** The {@link rowId} of the row whose Why is open. */
  readonly selected?: string | undefined;
  /** What makes it a grid, whose rows take the focus themselves. */
  readonly grid?: Grid<Row> | undefined;
}

export interface Grid<Row> {
  /** What a row shows across all columns instead of its cells. */
  whole(row: Row): ComponentChildren | undefined;
  /** The class of a row, whether it is selected, and what its cells show besides the row itself. */
  look(
    row: Row,
    at: number,
  ): { readonly class: string; readonly isSelected: boolean; readonly shown: unknown };
  /** Handles a key on a row before the list does; returns whether it did. */
  key(event: KeyboardEvent, at: number): boolean;
  /** The row with the focus, or the one that gets it next. */
  focus(at: number): void;
  readonly at: number;
  /** Moves the focus to a row. The table sets it. */
  go: (at: number) => void;
}

const GHOSTS = [62, 48, 70, 55, 66, 44, 58, 51];

/** A list as a table. Only the visible rows are in the document; rows slightly ahead are loaded. */
export function Table<Row extends object>(props: TableProps<Row> & { total: number | undefined }) {
  const { list, caption, columns, rowId, step, selected, total, grid, named = namesIn } = props;
  const { known, state } = useValue(list.read);
  // The length of the whole list. Rows that are not loaded yet are blank.
  const length = state === "whole" ? known : Math.max(known, known > 0 ? (total ?? 0) : 0);
  const body = useRef<HTMLTableSectionElement>(null);
  const [focused, setFocused] = useState<number | undefined>(undefined);
  const twoLines = useMedia(TWO_LINES);
  const late = useDelayed(known === 0 && state !== "whole");
  const span = useWindow(body, length, twoLines ? 60 : 36, (first, last) => list.want(first, last));
  useReturn(list, state === "whole" || known > 0, total !== undefined);
  // The row to which a key press moves the focus. The focus moves when that row is loaded and drawn.
  const going = useRef<number | undefined>(undefined);
  useLayoutEffect(() => {
    if (going.current === undefined) return;
    if (!body.current?.contains(document.activeElement)) going.current = undefined;
    else if (focusRow(body.current, going.current)) going.current = undefined;
  });

  // A grid is one stop of the Tab key, and that is a row: arrow keys lead to what is in it.
  useLayoutEffect(() => {
    if (!grid) return;
    for (const within of body.current?.querySelectorAll<HTMLElement>(WITHIN) ?? []) within.tabIndex = -1;
  });

  const pieces = drawnPieces(span, length, focused ?? grid?.at);
  const same = sameNamed(pieces.flatMap((piece) => ("row" in piece ? named(list.row(piece.row)) : [])));
  // The same set while it says the same, so that rows with names are not drawn again.
  const shared = useMemo(() => same, [[...same].join()]);

  function goTo(row: number): void {
    going.current = focusRow(body.current, row) ? undefined : row;
    if (going.current !== undefined) span.reveal(row);
  }
  if (grid) grid.go = goTo;

  return (
    <SameNamed.Provider value={shared}>
      <table
        role={grid ? "grid" : "table"}
        aria-multiselectable={grid && true}
        aria-rowcount={total === undefined ? -1 : total + 1}
        aria-busy={state === "reading"}
      >
        <caption class="vh">{caption}</caption>
        <thead role="rowgroup">
          <tr role="row" aria-rowindex={1}>
            {columns.map((column, at) => (
              <th key={at} role="columnheader" scope="col" class={column.class} aria-sort={column.sort}>
                {column.head}
              </th>
            ))}
          </tr>
        </thead>
        <tbody
          role="rowgroup"
          ref={body}
          onFocusIn={(event) => {
            const at = rowOf(event.target);
            setFocused(at);
            if (at !== undefined) grid?.focus(at);
          }}
          onFocusOut={() => setFocused(undefined)}
          onKeyDown={(event) => {
            const at = rowOf(event.target);
            if (grid && at !== undefined && (grid.key(event, at) || goAcross(event)))
              return event.preventDefault();
            const to = rowFor(event, length);
            if (to !== undefined) goTo(to);
          }}
        >
          {pieces.map((piece) => {
            if ("gap" in piece)
              return (
                <tr
                  key={`gap${piece.gap}`}
                  role="presentation"
                  class="gap"
                  style={{ height: `${piece.gap}px` }}
                />
              );
            const row = list.row(piece.row);
            if (row === undefined)
              return <Blank key={piece.row} at={piece.row} height={span.height} columns={columns.length} />;
            const before = piece.row > 0 ? list.row(piece.row - 1) : undefined;
            const steps = step && before !== undefined && step(before) !== step(row);
            const id = rowId(row);
            const look = grid?.look(row, piece.row);
            const whole = grid?.whole(row);
            const tabIndex = grid && (grid.at === piece.row ? 0 : -1);
            const classes = `${steps ? "step " : ""}${selected === id ? "sel " : ""}${look?.class ?? ""}`;
            const draw = () => (
              <tr
                role="row"
                aria-rowindex={piece.row + 2}
                data-row={piece.row}
                id={grid && `row-${piece.row}`}
                tabIndex={tabIndex}
                aria-selected={look?.isSelected}
                onClick={openReason}
                class={classes}
              >
                {whole !== undefined && (
                  <td role="gridcell" colSpan={columns.length} class="whole">
                    {whole}
                  </td>
                )}
                {(whole === undefined ? columns : []).map((column, at) =>
                  at === 0 ? (
                    <th key={at} role="rowheader" scope="row" class={column.class}>
                      {column.cell(row)}
                    </th>
                  ) : (
                    <td
                      key={at}
                      role={grid ? "gridcell" : "cell"}
                      class={column.class}
                      data-head={String(column.head)}
                    >
                      {column.cell(row)}
                    </td>
                  ),
                )}
              </tr>
            );
            // Only a grid says what its cells show; a row of another list is always drawn again.
            const of = look
              ? [row, piece.row, columns, whole, tabIndex, classes, look.isSelected, look.shown]
              : [{}];
            return <KeptDrawing key={id} of={of} draw={draw} />;
          })}
          {late &&
            GHOSTS.map((width) => (
              <tr key={width} role="presentation" class="ghosts" aria-hidden="true">
                {columns.map((column, at) => (
                  <td key={at} role="presentation" class={column.class}>
                    <span class="ghost" style={{ width: at === 0 ? `${width}%` : "56px" }} />
                  </td>
                ))}
              </tr>
            ))}
          {known > 0 && length === known && state === "reading" && (
            <tr role="presentation" class="ghosts" aria-hidden="true">
              <td role="presentation" colSpan={columns.length} class="c-name">
                <span class="ghost" style={{ width: "120px" }} />
              </td>
            </tr>
          )}
        </tbody>
      </table>
    </SameNamed.Provider>
  );
}

interface Names {
  readonly user?: NamedPerson;
  readonly team?: NamedThing;
  readonly space?: NamedThing;
  readonly content?: NamedThing;
  readonly path?: readonly string[];
}

/** The names that a row shows, each with the text beside it. */
function namesIn(row: Names | undefined): readonly Named[] {
  if (row === undefined) return [];
  const { user, team, space, content, path = [] } = row;
  const things = [team, space, content].flatMap((thing) => (thing ? [[thing, path.join("/")] as const] : []));
  return user ? [...things, [user, user.email] as const] : things;
}

interface KeptProps {
  readonly of: readonly unknown[];
  draw(): ComponentChildren;
}

/** What is drawn again only where something that it is made of is new: a key press in a grid changes few of its rows. */
class KeptDrawing extends Component<KeptProps> {
  override shouldComponentUpdate({ of }: KeptProps): boolean {
    return of.some((each, at) => each !== this.props.of[at]);
  }

  override render({ draw }: KeptProps): ComponentChildren {
    return draw();
  }
}

function Blank({ at, height, columns }: { at: number; height: number; columns: number }) {
  return (
    <tr
      role="row"
      aria-rowindex={at + 2}
      data-row={at}
      data-blank
      class="ghosts"
      style={{ height: `${height}px` }}
    >
      <td role="cell" colSpan={columns} class="c-name">
        <span class="ghost" style={{ width: `${20 + ((at * 37) % 20)}%` }} />
        <span class="vh">Not read yet</span>
      </td>
    </tr>
  );
}

/** A click on a row, not on a link in it, opens Why, unless the click ends a text selection. */
function openReason({ target, currentTarget }: MouseEvent): void {
  if (!(target instanceof Element) || !(currentTarget instanceof Element)) return;
  if (target.closest("a, button") || getSelection()?.isCollapsed === false) return;
  currentTarget.querySelector<HTMLElement>(".bec button")?.click();
}

function rowOf(target: EventTarget | null): number | undefined {
  const row = target instanceof Element ? target.closest<HTMLElement>("[data-row]") : null;
  return row ? Number(row.dataset["row"]) : undefined;
}

/**
 * The index of the row to which the keys Up, Down, Home and End move the focus; `undefined` for other keys, and if
 * there is no such row.
 */
function rowFor(event: KeyboardEvent, count: number): number | undefined {
  const from = event.target instanceof Element ? event.target.closest<HTMLElement>("[data-row]") : null;
  if (!from) return undefined;
  const at = Number(from.dataset["row"]);
  const steps: Record<string, number> = { ArrowUp: at - 1, ArrowDown: at + 1, Home: 0, End: count - 1 };
  const to = steps[keyFor(event)];
  if (to === undefined) return undefined;
  event.preventDefault();
  return to < 0 || to >= count || to === at ? undefined : to;
}

/** What takes the focus in the row of a grid, besides the row itself. */
const WITHIN = "a, button, input";

/** Handles the keys Left and Right in the row of a grid: they move the focus among the row and what is in it. */
function goAcross(event: KeyboardEvent): boolean {
  const { target } = event;
  const row = target instanceof HTMLElement && target.closest<HTMLElement>("[data-row]");
  const step = ["ArrowLeft", "", "ArrowRight"].indexOf(keyFor(event)) - 1;
  if (!row || Math.abs(step) !== 1) return false;
  const stops = [row, ...row.querySelectorAll<HTMLElement>(WITHIN)].filter((stop) => stop.checkVisibility());
  stops[stops.indexOf(target) + step]?.focus();
  return true;
}

/**
 * Moves the focus to the reason button of a row or, in lists without reasons, to the link of its name. Returns false if
 * the row is not drawn yet.
 */
function focusRow(body: HTMLElement | null, row: number): boolean {
  const target = body?.querySelector<HTMLElement>(`[data-row="${row}"]:not([data-blank])`);
  if (target?.hasAttribute("tabindex")) {
    // By itself, the focus moves a row below the edge to the middle, which draws many rows at once.
    target.focus({ preventScroll: true });
    target.scrollIntoView({ block: "nearest" });
    return true;
  }
  const stop = target?.querySelector<HTMLElement>(".bec button") ?? target?.querySelector<HTMLElement>("a");
  stop?.focus();
  return stop != null;
}

/** The largest number of animation frames to wait for the element that had the focus. */
const FRAMES_TO_WAIT = 600;

/**
 * After Back or Forward, restores the scroll position of a list and the focus; otherwise scrolls to the beginning. Acts
 * when the list has rows (`ready`), and again when its length is known (`whole`).
 */
function useReturn(list: object, ready: boolean, whole: boolean): void {
  const { navigation } = useSession();
  const done = useRef<object | undefined>(undefined);
  useLayoutEffect(() => {
    if (!ready || done.current === list) return;
    const { cause, position } = navigation.move.value;
    const scroller = document.querySelector(".scroll");
    const back = cause === "choose" || cause === "type" ? undefined : position;
    // Until its length is known, a list may be too short for the stored scroll position.
    if (whole || !back) done.current = list;
    if (cause === "type") return;
    if (scroller) scroller.scrollTop = back?.list ?? 0;
    if (cause !== "load" || back) scrollTo(0, back?.page ?? 0);
    if (!back || back.focus === "") return;
    // The row is drawn after the scroll event and after it is loaded.
    let frames = FRAMES_TO_WAIT;
    const focus = () => {
      if (document.activeElement !== document.body) return;
      const target = document.getElementById(back.focus);
      target?.focus({ preventScroll: true });
      if (!target && frames-- > 0) requestAnimationFrame(focus);
    };
    requestAnimationFrame(focus);
  }, [list, ready, whole]);
}
