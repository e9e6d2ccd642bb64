import type { ComponentChildren } from "preact";
import type { Address } from "../../session/address/address.ts";
import { useSession } from "../../session/session.ts";
import { Button } from "../../parts/controls/Button.tsx";

/** A filter that is on or off. Choosing it opens the address `to`. */
export function Chip({ on, to, children }: { on: boolean; to: Address; children: ComponentChildren }) {
  const { walk } = useSession();
  return (
    <Button class="chip" aria-pressed={on} onClick={() => walk.choose(to)}>
      {children}
    </Button>
  );
}
