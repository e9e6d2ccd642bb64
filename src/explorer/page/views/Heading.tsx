import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { useSession } from "../session/session.ts";

interface Props {
  /** Identifies the shown subject. If the reader chooses another one, the focus moves to the heading. */
  of: string;
  ready: boolean;
  class?: string;
  children: ComponentChildren;
}

/** The h1 of the page. When the reader chooses a subject, it takes the focus, so that screen readers continue there. */
export function Heading({ of, ready, children, class: style }: Props) {
  const { walk } = useSession();
  const heading = useRef<HTMLHeadingElement>(null);
  const done = useRef("");
  useLayoutEffect(() => {
    if (!ready || done.current === of) return;
    done.current = of;
    const { cause, position } = walk.move.value;
    const chosen = cause === "choose" || (cause === "return" && !position?.focus);
    if (chosen) heading.current?.focus({ preventScroll: true });
  }, [of, ready]);
  return (
    <h1 id="heading" ref={heading} tabIndex={-1} class={style}>
      {children}
    </h1>
  );
}
