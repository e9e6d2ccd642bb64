import { UsageError } from "../../../domain/error.ts";
import { resolveRules } from "../../../review/check/resolve.ts";
import { evaluate } from "../../../review/check/evaluate.ts";
import { breachLines } from "../../../review/check/lines.ts";
import type { Rule } from "../../../review/rules/rule.ts";
import type { Reader } from "../../../store/engine/engine.ts";
import { readConsistently } from "../../../store/revisions/consistent-read.ts";
import type { Revision } from "../../../store/reading.ts";
import type { RuleResult } from "../../../store/rule-results.ts";
import { chooseOrganization } from "../../choose.ts";
import { dayOf, rulesIn } from "./check-rules.ts";
import { checkText, type Checked } from "../../output/check-output.ts";
import { say, withExistingStore, write } from "../../context.ts";
import { formatOf } from "../../output/list-output.ts";
import { keepResults } from "../data/examine-rules.ts";
import { readAt } from "../../options.ts";
import { StatusLine } from "../../output/status/status-line.ts";

export interface CheckArguments {
  readonly organization?: string;
  readonly format?: string;
  readonly limit: string;
  readonly at?: string;
  readonly record?: boolean;
  readonly database?: string;
}

const MOST_LISTED = 100_000;

/**
 * `rolebook check RULES`: prints the breaches of rules. The exit status is 1 if there is one. Throws a UsageError for
 * rules that cannot be checked.
 */
export async function checkCommand(file: string, options: CheckArguments): Promise<void> {
  const format = formatOf(options.format);
  const limit = readLimit(options.limit);
  const at = readAt(options.at);
  if (options.record === true && at !== undefined) {
    throw new UsageError("--record and --at are both given; accepted: one of them.");
  }
  const rules = await rulesIn(file);
  await withExistingStore(options.database, async ({ store }) => {
    const { organization } = await chooseOrganization(store, options.organization);
    const line = new StatusLine();
    let number = 0;
    const check = async (revision: Revision, reader: Reader): Promise<Checked[]> => {
      number = revision.revision;
      const reading = store.reading(revision, reader);
      const resolved = await resolveRules(reading, rules, dayOf(at?.when, revision));
      if (resolved.unresolved.length > 0) throw unresolved(file, resolved.unresolved);
      const verdicts = await evaluate(reading, resolved, limit, (contents) =>
        line.show(() => `Checked ${contents.toLocaleString("en")} contents`),
      );
      const found: Checked[] = [];
      for (const verdict of verdicts) found.push({ verdict, lines: await breachLines(reading, verdict) });
      return found;
    };
    const checked = await readConsistently(store, organization, check, at).finally(() => line.end());
    if (options.record === true) await keepResults(store, organization, number, checked.map(resultOf));
    await write(checkText(format, checked));
    const broken = checked.filter(({ verdict }) => verdict.breaches > 0);
    say(summaryOf(rules.length, broken));
    if (broken.length > 0) process.exitCode = 1;
  });
}

function resultOf({ verdict: { resolved, breaches } }: Checked): RuleResult {
  const { words, definition } = resolved.rule;
  return { rule: words, breaches, definition };
}

function unresolved(
  file: string,
  rules: readonly { readonly rule: Rule; readonly problem: string }[],
): UsageError {
  const lines = rules.map(
    ({ rule, problem }) =>
      `${file}, line ${rule.line}: ${JSON.stringify(rule.words)} cannot be checked: ${problem}`,
  );
  return new UsageError(lines.join("\n"));
}

function summaryOf(rules: number, broken: readonly Checked[]): string {
  const kept = rules - broken.length;
  if (broken.length === 0) return `${rules === 1 ? "The rule is" : `All ${rules} rules are`} kept.`;
  const breaches = broken.reduce((sum, { verdict }) => sum + verdict.breaches, 0);
  const listed = broken.reduce((sum, { lines }) => sum + lines.length, 0);
  const more = listed < breaches ? ` ${listed.toLocaleString("en")} are listed; --limit lists more.` : "";
  const places = breaches === 1 ? "1 breach" : `${breaches.toLocaleString("en")} breaches`;
  return `${broken.length} of ${rules} rules broken, ${kept} kept: ${places}.${more}`;
}

function readLimit(value: string): number {
  if (/^[1-9]\d{0,5}$/.test(value) && Number(value) <= MOST_LISTED) return Number(value);
  throw new UsageError(
    `--limit is ${JSON.stringify(value)}; accepted: a whole number from 1 to ${MOST_LISTED}.`,
  );
}
