import { useState } from "preact/hooks";
import type { WhyAnswer } from "../../../wire/why.ts";
import { LeaveOut } from "../differences/LeaveOut.tsx";
import { Rung } from "./Rung.tsx";
import { KindIcon } from "../../parts/Icon.tsx";
import { Link } from "../../parts/Link.tsx";
import { addressOf } from "../../parts/Words.tsx";
import { nameOf } from "../../words/names.ts";

const KEY = "rolebook.steps";

/** The steps in order: all of them, or only the deciding one; `under` is the heading. */
export function Ladder({ why, under }: { why: WhyAnswer; under: "h1" | "h2" }) {
  const [all, setAll] = useState(remembered);
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
        <button
          type="button"
          class="link"
          aria-expanded={all}
          aria-controls="ladder"
          onClick={() => {
            remember(!all);
            setAll(!all);
          }}
        >
          {all ? "Only the deciding one" : "Show all steps"}
        </button>
      </div>
      <div class={all ? "ladder" : "ladder one"} id="ladder">
        {levels.map((level, at) => (
          <section key={`${level.kind}/${level.id}/${at}`} class="rungs">
            <Level class={level.steps.every((step) => step.mark === "not-reached") ? "level last" : "level"}>
              <KindIcon kind={level.kind} />
              <Link to={addressOf(level)} class="name">
                <bdi>{nameOf(level)}</bdi>
              </Link>
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

/** Stored for the tab, as the token is. */
function remembered(): boolean {
  try {
    return sessionStorage.getItem(KEY) === "all";
  } catch {
    return false;
  }
}

function remember(all: boolean): void {
  try {
    sessionStorage.setItem(KEY, all ? "all" : "one");
  } catch {
    // Not remembered.
  }
}
