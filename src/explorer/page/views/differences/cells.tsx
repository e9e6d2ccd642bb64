import type { Effect } from "../../../../domain/explanation/effect.ts";
import type { Held } from "../../../wire/differences.ts";
import { RuleIcon } from "../../parts/Icon.tsx";
import { RoleLabel } from "../../parts/Meter.tsx";
import { Words } from "../../parts/Words.tsx";
import { figure } from "../../words/number.ts";

/** A role with its reason, or "no access". */
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

/** All four numbers: "41 lose access, 12 fall, 3 rise, 0 gain access". */
export function effectWords({ lost, lowered, raised, gained }: Effect): string {
  const word = (number: number, one: string, many: string) =>
    `${figure(number)} ${number === 1 ? one : many}`;
  return [
    word(lost, "loses access", "lose access"),
    word(lowered, "falls", "fall"),
    word(raised, "rises", "rise"),
    word(gained, "gains access", "gain access"),
  ].join(", ");
}
