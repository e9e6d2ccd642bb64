import type { ComponentChildren } from "preact";
import { format } from "../../session/address/address.ts";
import { useCell } from "../../parts/cell.ts";
import { isPlain } from "../../parts/Link.tsx";
import { useSession } from "../../session/session.ts";

interface Props {
  /** The WHEN of the link (contract, section 10); `undefined` for the current revision. */
  readonly at: string | undefined;
  readonly class?: string;
  /** Whether the page shows this WHEN. */
  readonly current?: boolean;
  onGo?(): void;
  readonly children: ComponentChildren;
}

/** A link to the current address at another WHEN. */
export function AtLink({ at, class: look, current = false, onGo, children }: Props) {
  const { walk, client } = useSession();
  const { address } = useCell(walk.move);
  const me = useCell(client.me);
  // The address of the newest revision has no `at`.
  const newest = me && (me.newer ?? me).revision;
  const when = at === String(newest) ? undefined : at;
  return (
    <a
      class={look}
      href={format(address, when)}
      aria-current={current ? "true" : undefined}
      onClick={(event) => {
        if (!isPlain(event)) return;
        event.preventDefault();
        onGo?.();
        if (when === undefined && walk.at.value === undefined) client.turn();
        else walk.lookAt(when);
      }}
    >
      {children}
    </a>
  );
}
