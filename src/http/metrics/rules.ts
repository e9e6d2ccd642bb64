import { Gauge, type Registry } from "prom-client";
import type { Engine } from "../../store/engine/engine.ts";
import { breachTotals } from "../../store/rule-results.ts";
import { within } from "./freshness.ts";

/**
 * The breaches of each rule at its last check. The label is the rule's text, which an operator wrote and which may name
 * people and contents: `/metrics` must stay off public networks. While the database does not answer, the metrics keep
 * their last values.
 */
export function addRules(engine: Engine, registry: Registry): void {
  let last: Awaited<ReturnType<typeof breachTotals>> = [];
  const breaches = new Gauge({
    name: "rolebook_rule_breaches",
    help: "Breaches of each rule when its result was last recorded, over all organizations; a rule that could not be checked counts as one. The label rule is the rule's own words.",
    labelNames: ["rule"],
    aggregator: "max",
    registers: [],
    async collect() {
      last = (await within(breachTotals(engine))) ?? last;
      this.reset();
      for (const { rule, breaches } of last) this.set({ rule }, breaches);
    },
  });
  const checked = new Gauge({
    name: "rolebook_rule_checked_timestamp_seconds",
    help: "When the result of each rule was last recorded, in seconds since 1970; of several organizations, the one recorded longest ago.",
    labelNames: ["rule"],
    aggregator: "min",
    registers: [],
    async collect() {
      last = (await within(breachTotals(engine))) ?? last;
      this.reset();
      for (const { rule, checkedAt } of last) this.set({ rule }, Date.parse(checkedAt) / 1000);
    },
  });
  registry.registerMetric(breaches);
  registry.registerMetric(checked);
}
