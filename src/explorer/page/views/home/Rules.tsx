import type { RuleNode } from "../../../wire/home/rules.ts";
import { moment } from "../../words/date.ts";
import { count, figure } from "../../words/number.ts";
import { Section } from "./Section.tsx";
import type { RecordedRules } from "./useRules.ts";

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
        . Checked {moment(answer.checked.at)}, revision {figure(answer.checked.revision)}.
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

function List({ of }: { of: readonly RuleNode[] }) {
  return (
    <ul>
      {of.map((each) => (
        <li key={each.rule} class={each.breaches === 0 ? undefined : "broken"}>
          <bdi>{each.rule}</bdi>
          <span>{standing(each)}</span>
        </li>
      ))}
    </ul>
  );
}

function standing({ breaches }: RuleNode): string {
  if (breaches === null) return "cannot be checked";
  return breaches === 0 ? "kept" : count(breaches, "breach", "breaches");
}
