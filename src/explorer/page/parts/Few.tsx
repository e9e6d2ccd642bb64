import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { count } from "../words/number.ts";
import { Button } from "./controls/Button.tsx";

interface Props<Item> {
  readonly items: readonly Item[];
  readonly first: number;
  /** The noun of the button's label, such as "more team" in "12 more teams". */
  readonly noun: string;
  item(item: Item, at: number): ComponentChildren;
}

/** Shows the `first` items of a list, and a button that shows the others. */
export function Few<Item>({ items, first, noun, item }: Props<Item>) {
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
