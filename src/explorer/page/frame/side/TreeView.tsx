import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import type { Address } from "../../session/address/address.ts";
import { useCell } from "../../parts/cell.ts";
import { pieces, useWindow } from "../../parts/screen/window.ts";
import { useSession } from "../../session/session.ts";
import { indent } from "./indent.ts";
import { treeKey } from "./keys.ts";
import { TreeItem } from "./TreeItem.tsx";
import { Button } from "../../parts/controls/Button.tsx";

/** The expected height of a line, in px. */
const LINE = 28;

/** The tree of contents, with one tab stop. Arrow keys only move the focus; Enter opens a content. */
export function TreeView({ address, labelledBy }: { address: Address; labelledBy: string }) {
  const { tree } = useSession();
  useCell(tree.changes);
  const lines = tree.lines();
  const body = useRef<HTMLUListElement>(null);
  const chosen =
    address.view === "space" || address.view === "collection" ? `${address.view}/${address.id}` : "";
  const [stop, setStop] = useState("");
  const [focused, setFocused] = useState(false);
  const typed = useRef({ text: "", at: 0 });

  const find = (key: string) => lines.findIndex((line) => line.key === key);
  const at = [find(stop), find(chosen), 0].find((index) => index >= 0) ?? 0;
  const span = useWindow(body, lines.length, LINE, (first, last) => {
    for (const line of lines.slice(first, last + 1))
      if (line.kind === "rest" && !line.failed) void tree.read(line.parent);
  });

  function scrollTo(index: number): void {
    const list = body.current;
    const scroller = list?.closest("[data-scroll]");
    if (!list || !scroller) return;
    const box = getComputedStyle(scroller).overflowY === "visible" ? document.documentElement : scroller;
    const top = list.getBoundingClientRect().top + index * span.height;
    const view = box === scroller ? scroller.getBoundingClientRect() : { top: 56, bottom: innerHeight };
    if (top < view.top + 8) box.scrollTop -= view.top + 8 - top;
    else if (top + span.height > view.bottom - 8) box.scrollTop += top + span.height - view.bottom + 8;
  }

  function focusOn(index: number): void {
    const line = lines[index];
    if (!line) return;
    setStop(line.key);
    scrollTo(index);
    // The line is drawn in the next frame at the latest.
    requestAnimationFrame(() => {
      const items = body.current?.querySelectorAll<HTMLElement>("[role=treeitem]") ?? [];
      for (const item of items) if (item.dataset["key"] === line.key) item.focus({ preventScroll: true });
    });
  }

  // Scrolls to the shown content, and keeps it visible while levels above it are loaded. Stops when the tree is loaded.
  const place = find(chosen);
  const settled = useRef("");
  useEffect(() => setStop(""), [chosen]);
  useLayoutEffect(() => {
    if (place >= 0 && !focused && settled.current !== chosen) scrollTo(place);
  }, [chosen, place]);
  useLayoutEffect(() => {
    if (place < 0) settled.current = "";
    else if (tree.isStill()) settled.current = chosen;
  });

  return (
    <ul
      role="tree"
      class="tree"
      ref={body}
      aria-labelledby={labelledBy}
      onFocusIn={() => setFocused(true)}
      onFocusOut={() => setFocused(false)}
      onKeyDown={(event) => treeKey(event, { tree, lines, at, typed: typed.current, focusOn })}
    >
      {pieces(span, lines.length, focused ? at : undefined).map((piece) => {
        if ("gap" in piece)
          return <li key={`gap${piece.gap}`} role="none" style={{ height: `${piece.gap}px` }} />;
        const line = lines[piece.row];
        if (!line) return null;
        if (line.kind === "node")
          return <TreeItem key={line.key} line={line} chosen={line.key === chosen} stop={piece.row === at} />;
        return (
          <li
            key={line.key}
            role="none"
            data-row
            class="rest"
            style={{ paddingLeft: `${indent(line.depth)}px` }}
          >
            {line.failed ? (
              <Button onClick={() => void tree.read(line.parent)}>Not read. Try again</Button>
            ) : (
              <span class="ghost" />
            )}
          </li>
        );
      })}
    </ul>
  );
}
