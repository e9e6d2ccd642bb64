import type { ComponentChildren } from "preact";
import type { Address } from "../session/address/address.ts";
import { useSession } from "../session/session.ts";

interface Props {
  to: Address;
  class?: string;
  id?: string;
  children: ComponentChildren;
}

/** A link within the page. The browser itself handles a click that opens a new tab or window. */
export function Link({ to, children, ...rest }: Props) {
  const { walk } = useSession();
  return (
    <a
      {...rest}
      href={walk.hrefOf(to)}
      onClick={(event) => {
        if (!isPlain(event)) return;
        event.preventDefault();
        walk.choose(to);
      }}
    >
      {children}
    </a>
  );
}

/** Whether a click is a plain one: with modifier keys, the browser opens a new tab or window. */
export function isPlain(event: MouseEvent): boolean {
  return (
    event.button === 0 &&
    !event.defaultPrevented &&
    !event.metaKey &&
    !event.ctrlKey &&
    !event.shiftKey &&
    !event.altKey
  );
}
