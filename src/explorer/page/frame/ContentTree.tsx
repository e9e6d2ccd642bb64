/**
 * The tree of contents in the directory: a line per content, drawn as far as it is visible, with the keys of a WAI-
 * ARIA tree.
 */
import { useEffect, useLayoutEffect, useRef, useState } from "preact/hooks";
import { fold } from "../../../domain/text.ts";
import { Icon, KindIcon } from "../parts/Icon.tsx";
import { Anchor } from "../parts/Link.tsx";
import { Button } from "../parts/controls.tsx";
import { keyFor } from "../parts/keys.ts";
import { useValue } from "../parts/observable.ts";
import { drawnPieces, useWindow } from "../parts/window.ts";
import { type Address, addressOf } from "../session/address.ts";
import { useSession } from "../session/session.ts";
import type { Tree, TreeLine } from "../session/tree.ts";
import { date } from "../words/dates.ts";
import { nameOf } from "../words/names.ts";
import { figure } from "../words/numbers.ts";

/** The expected height of a line, in px. */
const LINE = 28;

/** The tree of contents, with one tab stop. Arrow keys only move the focus; Enter opens a content. */
export function TreeView({ address, labelledBy }: { address: Address; labelledBy: string }) {
  const { tree } = useSession();
  useValue(tree.changes);
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
  const chosenAt = find(chosen);
  const settled = useRef("");
  useEffect(() => setStop(""), [chosen]);
  useLayoutEffect(() => {
    if (chosenAt >= 0 && !focused && settled.current !== chosen) scrollTo(chosenAt);
  }, [chosen, chosenAt]);
  useLayoutEffect(() => {
    if (chosenAt < 0) settled.current = "";
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
      {drawnPieces(span, lines.length, focused ? at : undefined).map((piece) => {
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

interface TreeItemProps {
  line: TreeLine & { kind: "node" };
  chosen: boolean;
  /** Whether Tab reaches this line: exactly one line of the tree is a tab stop. */
  stop: boolean;
}

function TreeItem({ line, chosen, stop }: TreeItemProps) {
  const { tree, navigation } = useSession();
  const { node, depth, open } = line;
  const opens = node.kind === "collection" && node.children > 0;
  const to = addressOf(node.kind, node.id);
  const deletedAt = node.kind === "space" ? node.deletedAt : undefined;
  return (
    <li role="none" data-row class={chosen ? "cur" : undefined}>
      <Anchor
        role="treeitem"
        href={navigation.hrefOf(to)}
        data-key={line.key}
        tabIndex={stop ? 0 : -1}
        aria-level={depth}
        aria-posinset={line.position}
        aria-setsize={line.siblings}
        aria-selected={chosen}
        aria-expanded={opens ? open : undefined}
        style={{ paddingLeft: `${indent(depth)}px` }}
        onGo={({ target }) => {
          const isTwisted = target instanceof Element && target.closest(".tw");
          if (isTwisted && opens) tree.toggle(node.id);
          else navigation.choose(to);
        }}
      >
        <span class="tw">{opens && <Icon name={open ? "open" : "next"} />}</span>
        <KindIcon of={node} />
        <bdi class="t">
          {nameOf(node)}
          {line.isSame && <code> {node.id}</code>}
        </bdi>
        {deletedAt !== undefined && <span class="lvl">deleted</span>}
        {node.defaultLevel !== "inherit" && (
          <span class="lvl">
            <span class="vh">default level </span>
            {node.defaultLevel ?? "closed"}
          </span>
        )}
        {node.given > 0 && (
          <span class="own">
            {figure(node.given)}
            <span class="vh"> given here</span>
          </span>
        )}
        {/* If there is no room, CSS hides the date first. */}
        {deletedAt !== undefined && <span class="own">{date(deletedAt)}</span>}
      </Anchor>
    </li>
  );
}

/** The first `WIDE_DEPTHS` depths are indented by 16 px each, the next `CLOSE` by 3 px each, deeper ones no further. */
const WIDE_DEPTHS = 4;
const CLOSE = 8;

/**
 * The indent in px of a line at `depth` (1 is the top level). It is limited, so that part of a deep title stays
 * visible.
 */
function indent(depth: number): number {
  const below = depth - 1;
  return 4 + 16 * Math.min(below, WIDE_DEPTHS) + 3 * Math.max(0, Math.min(below - WIDE_DEPTHS, CLOSE));
}

interface TreeContext {
  readonly tree: Tree;
  readonly lines: readonly TreeLine[];
  /** The index of the line that has the focus. */
  readonly at: number;
  readonly typed: { text: string; at: number };
  focusOn(index: number): void;
}

/** After this time (ms) without a letter, the next letter begins a new search. */
const WORD = 700;

/** Handles the keys of the tree: arrows, Home, End, and the first letters of a title. A line is a link, which Enter opens. */
function treeKey(event: KeyboardEvent, context: TreeContext): void {
  const { tree, lines, at, focusOn } = context;
  const line = lines[at];
  const key = keyFor(event);
  if (key === "" || line?.kind !== "node") return;
  const { node, depth, open } = line;
  const opens = node.kind === "collection" && node.children > 0;
  const letter = key.length === 1 && key !== " ";
  if (!letter) context.typed.text = "";
  const step = (by: 1 | -1) => {
    let next = at + by;
    while (lines[next]?.kind === "rest") next += by;
    if (lines[next]) focusOn(next);
  };
  if (key === "ArrowDown") step(1);
  else if (key === "ArrowUp") step(-1);
  else if (key === "ArrowRight" && opens) {
    if (open) step(1);
    else tree.toggle(node.id, true);
  } else if (key === "ArrowLeft") {
    if (opens && open) tree.toggle(node.id, false);
    else focusOn(lines.findLastIndex((above, index) => index < at && above.depth < depth));
  } else if (key === "Home") focusOn(0);
  else if (key === "End") focusOn(lines.findLastIndex((last) => last.kind === "node"));
  else if (letter) byTitle(key, context);
  else if (key !== "ArrowRight" && key !== " ") return;
  event.preventDefault();
}

function byTitle(letter: string, { lines, at, typed, focusOn }: TreeContext): void {
  const now = Date.now();
  typed.text = now - typed.at < WORD ? typed.text + letter : letter;
  typed.at = now;
  const wanted = fold(typed.text);
  // A single letter moves on to the next matching title. With several letters, the current title may still match.
  const from = typed.text.length === 1 ? at + 1 : at;
  for (let step = 0; step < lines.length; step++) {
    const index = (from + step) % lines.length;
    const line = lines[index];
    if (line?.kind === "node" && fold(line.node.title).startsWith(wanted)) return focusOn(index);
  }
}
