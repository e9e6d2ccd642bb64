import type { Stamp } from "../../wire/answer.ts";
import type { RulesAnswer } from "../../wire/home/rules.ts";
import { mustSeeAll } from "../allow.ts";
import type { ExplorerOperation } from "../operation.ts";

/** The latest stored results of the rules. */
export const rules: ExplorerOperation = {
  id: "explorerRules",
  path: "/explorer/rules",
  summary: "Tell how the rules stood",
  description:
    "The result of the last `rolebook check --record`, or of the last import or change with `--rules`: each rule with its breaches, and when and of which revision that was.",
  parameters: [],
  takes: "nothing",
  ask: () => async (asking) => {
    mustSeeAll(asking, "see how rules stand");
    const found = await asking.ruleResults();
    const fields: Omit<RulesAnswer, keyof Stamp> =
      found === undefined
        ? { rules: [] }
        : { checked: { at: found.checkedAt, revision: found.revision }, rules: found.results };
    return { of: "thing", fields };
  },
};
