import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { Icon } from "../../parts/Icon.tsx";
import { keep, kept } from "../../session/kept.ts";
import { figure } from "../../words/number.ts";

interface Props {
  id: string;
  text: string;
  number: number | undefined;
  /** Whether the part is open until the reader changes that. */
  open: boolean;
  children: ComponentChildren;
}

/** A collapsible part of the directory. Whether it is open is stored for the browser tab. */
export function Fold({ id, text, number, open: first, children }: Props) {
  const [chosen, setChosen] = useState(() => kept(id));
  const open = chosen === undefined ? first : chosen === "open";
  return (
    <>
      <h2>
        <button
          type="button"
          aria-expanded={open}
          onClick={() => {
            const next = open ? "shut" : "open";
            keep(id, next);
            setChosen(next);
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
