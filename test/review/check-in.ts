import { evaluate } from "../../src/review/check.ts";
import { breachLines } from "../../src/review/breaches.ts";
import { resolveRules } from "../../src/review/resolve.ts";
import { readRules } from "../../src/review/read-rules.ts";
import { modelOf } from "../../src/store/models.ts";
import { workInTurns } from "../../src/store/turns.ts";
import type { Rule, Verdict } from "../oracle/reviews/rules.ts";
import type { World } from "../world.ts";
import { DAY } from "./random-rules.ts";

const ALL = 100_000;

/** The program's results of rules on one organization. */
export async function checkIn(world: World, organization: string, rules: readonly Rule[], limit = ALL) {
  const found = await world.store.registry.organization(organization);
  if (found === undefined) throw new Error(`no organization ${organization}`);
  const reading = world.store.reading(found.current);
  const model = await modelOf(reading);
  const asked = readRules(JSON.stringify({ rules }), "rules.yaml");
  const resolved = await resolveRules(reading, model, asked, DAY);
  const verdicts: Verdict[] = [];
  const listed: number[] = [];
  for (const verdict of await workInTurns(evaluate(model, resolved.resolved, limit))) {
    const lines = await workInTurns(breachLines(model, verdict));
    listed.push(verdict.breaches);
    verdicts.push({
      rule: verdict.resolved.rule.words,
      contents: verdict.contents,
      breaches: lines.map(({ content, users: [user], count, role }) => ({
        content: content === undefined ? "" : `${content.kind}/${content.id}`,
        ...(count === undefined ? { user: user?.id ?? "", role } : { count }),
      })),
      exceptions: verdict.exceptions.map(({ state, excused }) => ({ state, excused })),
    });
  }
  const unresolved = resolved.unresolved.map(({ rule, isMisspelt }) => ({
    rule: rule.words,
    verdict: isMisspelt ? "misspelt" : "cannot be checked",
  }));
  return { verdicts, counted: listed, unresolved };
}
