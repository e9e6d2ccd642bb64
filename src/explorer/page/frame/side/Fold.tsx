import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Icon } from "../../parts/Icon.tsx";
import { figure } from "../../words/number.ts";

interface Props {
  id: string;
  text: string;
  number: number | undefined;
  /** Whether it is initially open. */
  open: boolean;
  children: ComponentChildren;
}

/** A collapsible part of the directory; its state is stored for the tab. */
export function Fold({ id, text, number, open: first, children }: Props) {
  const [chosen, setChosen] = useState(() => remembered(id));
  const open = chosen ?? first;
  return (
    <>
      <h2>
        <button
          type="button"
          aria-expanded={open}
          onClick={() => {
            remember(id, !open);
            setChosen(!open);
          }}
        >
          <Icon name={open ? "open" : "next"} />
          <span id={id}>{text}</span>
          <span class="sum">{number === undefined ? "" : figure(number)}</span>
        </button>
      </h2>
      {open && children}
    </>
  );
}

function remembered(id: string): boolean | undefined {
  try {
    return { open: true, shut: false }[sessionStorage.getItem(`rolebook.${id}`) ?? ""];
  } catch {
    return undefined;
  }
}

function remember(id: string, open: boolean): void {
  try {
    sessionStorage.setItem(`rolebook.${id}`, open ? "open" : "shut");
  } catch {
    // Not remembered.
  }
}
