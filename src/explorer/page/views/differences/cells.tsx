import type { Held } from "../../../wire/differences.ts";
import { RuleIcon } from "../../parts/Icon.tsx";
import { RoleLabel } from "../../parts/Meter.tsx";
import { Words } from "../../parts/Words.tsx";

export function HeldCell({ held }: { held: Held | null | undefined }) {
  if (held == null) return <span class="dim">no access</span>;
  return (
    <div class="cell">
      <RoleLabel role={held.role} />
      <RuleIcon rule={held.reason.rule} />
      <span class="because">
        <Words phrase={held.reason.because} />
      </span>
    </div>
  );
}
