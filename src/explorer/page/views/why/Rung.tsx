import type { ComponentChildren } from "preact";
import type { WhyStep } from "../../../../domain/why.ts";
import { Few } from "../../parts/Few.tsx";
import { NameLink } from "../../parts/NameLink.tsx";
import { RoleLabel } from "../../parts/Meter.tsx";
import { figure } from "../../words/number.ts";

const CLASS: Readonly<Record<WhyStep["mark"], string>> = {
  none: "pass",
  on: "up",
  decides: "hit",
  "not-reached": "rest",
};

const FEW = 8;

/** One step of the ladder: the question, the answer, and the teams with a permission. */
export function Rung({ step, leaveOut }: { step: WhyStep; leaveOut: ComponentChildren }) {
  const { teams = [] } = step;
  const tied = teams.filter(({ role }) => role === teams[0]?.role).length;
  return (
    <li class={CLASS[step.mark]}>
      <span class="dot" />
      <div>
        <div class="sl">
          <span>{step.label}</span>
          <span class="sv">
            {step.answer}
            {step.answer !== "" && step.role && ", "}
            {step.role && <RoleLabel role={step.role} />}
            {step.mark === "decides" && <span class="vh">, decides</span>}
            {step.mark === "on" && <span class="vh">, on to the next level up</span>}
          </span>
        </div>
        {tied > 1 && (
          <p class="tie">
            {figure(tied)} teams have {teams[0]?.role} here
          </p>
        )}
        <Few
          items={teams}
          first={FEW}
          noun="more team"
          item={(team, at) => (
            <li key={team.id} class={team.role === teams[0]?.role ? undefined : "lost"}>
              <NameLink of={{ ...team, kind: "team" }} class="name" />
              <RoleLabel role={team.role} />
              {at === 0 && tied === 1 && teams.length > 1 && <b>highest</b>}
            </li>
          )}
        />
        {leaveOut}
      </div>
    </li>
  );
}
