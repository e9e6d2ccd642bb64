import type { ComponentChildren } from "preact";
import { Icon } from "../../parts/Icon.tsx";
import { useSession, type Finding } from "../../session/session.ts";

/** Opens a search for a person or content, and then Why for it, with or without access. */
export function CheckButton({ what, children }: { what: Finding; children: ComponentChildren }) {
  const { finding } = useSession();
  return (
    <button type="button" class="btn" aria-haspopup="dialog" onClick={() => finding.set(what)}>
      <Icon name={what === "member" ? "member" : "space"} />
      {children}
    </button>
  );
}
