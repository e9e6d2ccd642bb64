import type { WhyStep } from "../../wire.ts";
import { RoleLabel } from "../parts/Meter.tsx";

const CLASS: Readonly<Record<WhyStep["mark"], string>> = {
  none: "pass",
  on: "up",
  decides: "hit",
  "not-reached": "rest",
};

/** One step of the ladder: what was asked, what came back. */
export function Rung({ step }: { step: WhyStep }) {
  const { teams = [] } = step;
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
        {teams.length > 0 && (
          <ul class="src">
            {teams.map((team, at) => (
              <li key={team.id} class={at > 0 ? "lost" : undefined}>
                <bdi>{team.title}</bdi>
                <RoleLabel role={team.role} />
                {at === 0 && teams.length > 1 && (
                  <b>{team.role === teams[1]?.role ? "smallest id" : "highest"}</b>
                )}
              </li>
            ))}
          </ul>
        )}
      </div>
    </li>
  );
}
