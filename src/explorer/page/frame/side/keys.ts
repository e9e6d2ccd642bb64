import { fold } from "../../../../domain/text.ts";
import { keyFor } from "../../parts/keyFor.ts";
import type { Tree, TreeLine } from "./tree.ts";

interface Context {
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
export function treeKey(event: KeyboardEvent, context: Context): void {
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

function byTitle(letter: string, { lines, at, typed, focusOn }: Context): void {
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
