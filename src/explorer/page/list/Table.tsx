import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { useCell } from "../parts/cell.ts";
import { useLate } from "../parts/late.ts";
import { TWO_LINES, useMedia } from "../parts/screen/media.ts";
import { pieces, useWindow } from "../parts/screen/window.ts";
import type { RowSource } from "../session/ask/rowList.ts";
import { focusRow, rowFor } from "./focus/moveAmong.ts";
import { useReturn } from "./focus/useReturn.ts";

export interface Column<Row> {
  readonly head: ComponentChildren;
  /** The CSS class of the cells; it sets the width. */
  readonly class: string;
  readonly sort?: "ascending" | "descending";
  cell(row: Row): ComponentChildren;
}

export interface TableProps<Row> {
  readonly list: RowSource<Row>;
  readonly caption: string;
  /** The first column has the row headers. */
  readonly columns: readonly Column<Row>[];
  rowId(row: Row): string;
  /** Rows with different values are separated by a stronger line. */
  step?(row: Row): string;
  /** The {@link rowId} of the row whose Why is open. */
  readonly selected?: string | undefined;
}

const GHOSTS = [62, 48, 70, 55, 66, 44, 58, 51];

/** A list as a table. Only the visible rows are in the document; rows slightly ahead are loaded. */
export function Table<Row>(props: TableProps<Row> & { total: number | undefined }) {
  const { list, caption, columns, rowId, step, selected, total } = props;
  const { known, state } = useCell(list.read);
  // The length of the whole list. Rows that are not loaded yet are blank.
  const length = state === "whole" ? known : Math.max(known, known > 0 ? (total ?? 0) : 0);
  const body = useRef<HTMLTableSectionElement>(null);
  const [focused, setFocused] = useState<number | undefined>(undefined);
  const twoLines = useMedia(TWO_LINES);
  const late = useLate(known === 0 && state !== "whole");
  const span = useWindow(body, length, twoLines ? 60 : 36, (first, last) => list.want(first, last));
  useReturn(list, state === "whole" || known > 0, total !== undefined);
  // The row to which a key press moves the focus. The focus moves when that row is loaded and drawn.
  const going = useRef<number | undefined>(undefined);
  useLayoutEffect(() => {
    if (going.current === undefined) return;
    if (!body.current?.contains(document.activeElement)) going.current = undefined;
    else if (focusRow(body.current, going.current)) going.current = undefined;
  });

  return (
    <table role="table" aria-rowcount={total === undefined ? -1 : total + 1} aria-busy={state === "reading"}>
      <caption class="vh">{caption}</caption>
      <thead role="rowgroup">
        <tr role="row" aria-rowindex={1}>
          {columns.map((column) => (
            <th
              key={column.class}
              role="columnheader"
              scope="col"
              class={column.class}
              aria-sort={column.sort}
            >
              {column.head}
            </th>
          ))}
        </tr>
      </thead>
      <tbody
        role="rowgroup"
        ref={body}
        onFocusIn={(event) => setFocused(rowOf(event.target))}
        onFocusOut={() => setFocused(undefined)}
        onKeyDown={(event) => {
          const to = rowFor(event, length);
          if (to === undefined) return;
          going.current = focusRow(body.current, to) ? undefined : to;
          if (going.current !== undefined) span.reveal(to);
        }}
      >
        {pieces(span, length, focused).map((piece) => {
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
          return (
            <tr
              key={id}
              role="row"
              aria-rowindex={piece.row + 2}
              data-row={piece.row}
              onClick={openReason}
              class={`${steps ? "step " : ""}${selected === id ? "sel" : ""}`}
            >
              {columns.map((column, at) =>
                at === 0 ? (
                  <th key={column.class} role="rowheader" scope="row" class={column.class}>
                    {column.cell(row)}
                  </th>
                ) : (
                  <td key={column.class} role="cell" class={column.class} data-head={String(column.head)}>
                    {column.cell(row)}
                  </td>
                ),
              )}
            </tr>
          );
        })}
        {late &&
          GHOSTS.map((width) => (
            <tr key={width} role="presentation" class="ghosts" aria-hidden="true">
              {columns.map((column, at) => (
                <td key={column.class} role="presentation" class={column.class}>
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
  );
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
