import { useState } from "preact/hooks";
import type { WhyAnswer } from "../../../wire/why.ts";
import { LeaveOut } from "../differences/LeaveOut.tsx";
import { Rung } from "./Rung.tsx";
import { KindIcon } from "../../parts/Icon.tsx";
import { NameLink } from "../../parts/NameLink.tsx";
import { keep, kept } from "../../session/kept.ts";
import { Button } from "../../parts/controls/Button.tsx";

const KEY = "steps";

/** The steps of an explanation: all of them, or only the deciding one. `under` is the element of the heading above. */
export function Ladder({ why, under }: { why: WhyAnswer; under: "h1" | "h2" }) {
  const [all, setAll] = useState(() => kept(KEY) === "all");
  if (why.levels.length === 0) return null;
  const Head = under === "h1" ? "h2" : "h3";
  const Level = under === "h1" ? "h3" : "h4";
  const levels = why.levels
    .map((level) => ({
      ...level,
      steps: all ? level.steps : level.steps.filter((step) => step.mark === "decides"),
    }))
    .filter((level) => level.steps.length > 0);
  return (
    <>
      <div class="lh">
        <Head>{all ? "Steps, in the order they are asked" : "The step that decides"}</Head>
        <Button
          aria-expanded={all}
          aria-controls="ladder"
          onClick={() => {
            keep(KEY, all ? "one" : "all");
            setAll(!all);
          }}
        >
          {all ? "Only the deciding one" : "Show all steps"}
        </Button>
      </div>
      <div class={all ? "ladder" : "ladder one"} id="ladder">
        {levels.map((level, at) => (
          <section key={`${level.kind}/${level.id}/${at}`} class="rungs">
            <Level class={level.steps.every((step) => step.mark === "not-reached") ? "level last" : "level"}>
              <KindIcon of={level} />
              <NameLink of={level} class="name" />
              <em>{level.here ? `this ${level.kind}` : level.kind}</em>
            </Level>
            <ol>
              {level.steps.map((step) => (
                <Rung
                  key={step.label}
                  step={step}
                  leaveOut={<LeaveOut why={why} level={level} step={step} />}
                />
              ))}
            </ol>
          </section>
        ))}
      </div>
    </>
  );
}
