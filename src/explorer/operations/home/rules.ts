import type { RuleNode, RulesAnswer } from "../../wire/answers.ts";
import type { Stamp } from "../../wire/protocol.ts";
import type { RuleResult } from "../../../store/rule-results.ts";
import { mustSeeAll } from "../allow.ts";
import type { ExplorerOperation } from "../operation.ts";

export const rules: ExplorerOperation = {
  id: "explorerRules",
  path: "/explorer/rules",
  summary: "Show the last result of each rule",
  description:
    "The result of the last `rolebook check --record`, or of the last import or change with `--rules`: the breaches of each rule, the time of the check and the checked revision.",
  parameters: [],
  takes: "nothing",
  ask: () => async (asking) => {
    mustSeeAll(asking, "see the results of rules");
    const found = await asking.ruleResults();
    const fields: Omit<RulesAnswer, keyof Stamp> =
      found === undefined
        ? { rules: [] }
        : { checked: { at: found.checkedAt, revision: found.revision }, rules: found.results.map(nodeOf) };
    return { of: "thing", fields };
  },
};

function nodeOf({ rule, breaches, definition }: RuleResult): RuleNode {
  return { rule, breaches, listed: definition !== undefined };
}
