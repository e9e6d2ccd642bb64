import type { RuleNode, RulesAnswer } from "../../../wire/home/rules.ts";
import { useCell } from "../../parts/cell.ts";
import { Link } from "../../parts/Link.tsx";
import { HOME } from "../../session/address/address.ts";
import { useSession } from "../../session/session.ts";
import { moment } from "../../words/date.ts";
import { count, figure } from "../../words/number.ts";
import { Section } from "./Section.tsx";
import { type RecordedRules, useRules } from "./useRules.ts";

export function Rules({ of: { answer } }: { of: RecordedRules }) {
  if (answer?.checked === undefined) return null;
  const broken = answer.rules.filter(({ breaches }) => breaches !== 0);
  const kept = answer.rules.filter(({ breaches }) => breaches === 0);
  return (
    <Section id="rules" title="Rules">
      <p>
        {broken.length === 0
          ? "All are kept"
          : `${figure(broken.length)} of ${figure(answer.rules.length)} broken`}
        . <When checked={answer.checked} />
      </p>
      <List of={broken} />
      {kept.length > 0 && (
        <details>
          <summary>{figure(kept.length)} kept</summary>
          <List of={kept} />
        </details>
      )}
    </Section>
  );
}

/** When the rules were checked, and whether the page shows another revision than the checked one. */
function When({ checked: { at, revision } }: { checked: NonNullable<RulesAnswer["checked"]> }) {
  const { client } = useSession();
  const shown = useCell(client.shown)?.revision ?? revision;
  const other = `${revision < shown ? "older" : "newer"} than revision ${figure(shown)}, which the page shows.`;
  return (
    <>
      Checked {moment(at)}, revision {figure(revision)}.
      {shown !== revision && (
        <>
          {" "}
          <b>This is {other}</b>
        </>
      )}
    </>
  );
}

/** What the last check counted for a rule, if it checked another revision than the shown one. */
export function Checked({ rule }: { rule: string }) {
  const { client } = useSession();
  const shown = useCell(client.shown)?.revision;
  const { answer } = useRules(true);
  const known = answer?.rules.find((each) => each.rule === rule);
  if (known === undefined || answer?.checked === undefined || answer.checked.revision === shown) return null;
  return (
    <p>
      Last check: {standing(known)}. <When checked={answer.checked} />
    </p>
  );
}

function List({ of }: { of: readonly RuleNode[] }) {
  return (
    <ul>
      {of.map((each) => (
        <li key={each.rule} class={each.breaches === 0 ? undefined : "broken"}>
          <bdi>{each.rule}</bdi>
          <span>
            {each.listed && each.breaches !== 0 ? (
              <Link to={{ ...HOME, view: "breaches", show: each.rule }} class="name">
                {standing(each)}
              </Link>
            ) : (
              standing(each)
            )}
          </span>
        </li>
      ))}
    </ul>
  );
}

function standing({ breaches }: RuleNode): string {
  if (breaches === null) return "cannot be checked";
  return breaches === 0 ? "kept" : count(breaches, "breach", "breaches");
}
