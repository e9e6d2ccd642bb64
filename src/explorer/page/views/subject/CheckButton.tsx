import type { ComponentChildren } from "preact";
import { Icon } from "../../parts/Icon.tsx";
import { useSession, type Finding } from "../../session/session.ts";
import { Button } from "../../parts/controls/Button.tsx";

/**
 * A button that opens the search for a person or a content, and then Why for the chosen one, even if there is no
 * access.
 */
export function CheckButton({ what, children }: { what: Finding; children: ComponentChildren }) {
  const { finding } = useSession();
  return (
    <Button class="btn" aria-haspopup="dialog" onClick={() => finding.set(what)}>
      <Icon name={what === "member" ? "member" : "space"} />
      {children}
    </Button>
  );
}
