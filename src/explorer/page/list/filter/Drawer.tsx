import type { ComponentChildren } from "preact";
import { Icon } from "../../parts/Icon.tsx";
import { useEffect, useRef } from "preact/hooks";

interface Props {
  label: string;
  /** Whether the box covers the list. Otherwise the list moves down. */
  over: boolean;
  open: boolean;
  children: ComponentChildren;
}

/** A button that opens a box below it. Escape closes the box; if the box covers the list, so does a click elsewhere. */
export function Drawer({ label, over, open, children }: Props) {
  const box = useRef<HTMLDetailsElement>(null);
  useEffect(() => {
    if (!over) return;
    const close = ({ target }: Event) => {
      if (target instanceof Node && box.current?.contains(target) === false) box.current.open = false;
    };
    const events = ["pointerdown", "focusin"];
    for (const event of events) addEventListener(event, close);
    return () => {
      for (const event of events) removeEventListener(event, close);
    };
  }, [over]);
  return (
    <details
      ref={box}
      class={over ? "over" : undefined}
      open={open}
      onKeyDown={(event) => {
        if (event.key !== "Escape" || !event.currentTarget.open) return;
        event.preventDefault();
        event.currentTarget.open = false;
        event.currentTarget.querySelector("summary")?.focus();
      }}
    >
      <summary>
        {label}
        <Icon name="open" />
      </summary>
      {children}
    </details>
  );
}
