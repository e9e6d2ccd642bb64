/** Texts that make room: shortened paths, clamped sentences, lists that begin short. */
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { date } from "../words/dates.ts";
import { pathText } from "../words/names.ts";
import { count } from "../words/numbers.ts";
import { Button, Dialog } from "./controls.tsx";

interface ExpandableListProps<Item> {
  readonly items: readonly Item[];
  readonly first: number;
  /** The noun of the button's label, such as "more team" in "12 more teams". */
  readonly noun: string;
  item(item: Item, at: number): ComponentChildren;
}

/** Shows the `first` items of a list, and a button that shows the others. */
export function ExpandableList<Item>({ items, first, noun, item }: ExpandableListProps<Item>) {
  const [whole, setWhole] = useState(false);
  const rest = whole ? 0 : items.length - first;
  if (items.length === 0) return null;
  return (
    <>
      <ul class="src">{(rest > 0 ? items.slice(0, first) : items).map(item)}</ul>
      {rest > 0 && <Button onClick={() => setWhole(true)}>{count(rest, noun)}</Button>}
    </>
  );
}

interface ClampedTextProps {
  readonly title: ComponentChildren;
  readonly children: ComponentChildren;
}

/**
 * A text that is cut after as many lines as fit. If it is cut, a button opens the whole text in a dialog with `title`.
 */
export function ClampedText({ title, children }: ClampedTextProps) {
  const text = useRef<HTMLSpanElement>(null);
  const dialog = useRef<HTMLDialogElement>(null);
  const [isCut, setCut] = useState(false);
  const [open, setOpen] = useState(false);
  useLayoutEffect(() => {
    const { current } = text;
    if (!current) return;
    // Links are some px higher than the text around them, so a small difference is no cut line.
    const measure = () => setCut(current.scrollHeight > current.clientHeight + 8);
    const observer = new ResizeObserver(measure);
    observer.observe(current);
    measure();
    return () => observer.disconnect();
  }, []);
  return (
    <>
      <span class="because" ref={text}>
        {children}
      </span>
      {isCut && (
        <Button aria-haspopup="dialog" onClick={() => setOpen(true)}>
          More<span class="vh"> about {title}</span>
        </Button>
      )}
      {open && (
        <Dialog box={dialog} title={title} onClose={() => setOpen(false)}>
          <p class="say">{children}</p>
        </Dialog>
      )}
    </>
  );
}

type Term = readonly [term: string, value: ComponentChildren];

export function Terms({ of, class: look }: { of: readonly Term[]; class: string }) {
  return (
    <dl class={look}>
      {of.map(([term, value]) => (
        <div key={term}>
          <dt>{term}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

/** Where the date has no room, "deleted" stays. */
export function DeletedTag({ of }: { of: object & { readonly deletedAt?: string } }) {
  return of.deletedAt === undefined ? null : (
    <span class="tag">
      deleted<i> {date(of.deletedAt)}</i>
    </span>
  );
}

/** The path of a content. Where it has no room, it begins at a slash, so that the nearest collections remain. */
export function ContentPath({ path }: { path: readonly string[] }) {
  return (
    <span class="path" title={pathText(path)}>
      {path.map((title, at) => (
        <bdi key={at}>{`${at === 0 ? "" : "/ "}${pathText([title])}`}</bdi>
      ))}
    </span>
  );
}
