/** The results of the last check of an organization's access rules, for metrics and the explorer. */
import { type Connection, type Reader, statement } from "./engine/engine.ts";

export interface RuleResult {
  /** The rule as written in the file of rules. */
  readonly rule: string;
  /** The number of breaches; `null` if the rule could not be checked. */
  readonly breaches: number | null;
  /** The rule as in its file, in JSON; absent in results of earlier programs. */
  readonly definition?: string;
}

/** The results of all rules, in the order of the file of rules. */
export interface RuleResults {
  readonly revision: number;
  /** ISO 8601, UTC. */
  readonly checkedAt: string;
  readonly results: readonly RuleResult[];
}

const DROP = statement<never>(() => "DELETE FROM rule_result WHERE organization = $1");
const INSERT = statement<never>(
  () => `
    INSERT INTO rule_result (organization, place, rule, breaches, revision, checked_at, definition)
      VALUES ($1, $2, $3, $4, $5, $6, $7)`,
);

/** Replaces the results of an organization. Call it in a transaction. */
export async function keepRuleResults(
  connection: Connection,
  organization: string,
  { revision, checkedAt, results }: RuleResults,
): Promise<void> {
  await dropRuleResults(connection, organization);
  for (const [place, { rule, breaches, definition = null }] of results.entries()) {
    await connection.write(INSERT, organization, place, rule, breaches, revision, checkedAt, definition);
  }
}

export async function dropRuleResults(connection: Connection, organization: string): Promise<void> {
  await connection.write(DROP, organization);
}

const OF_ORGANIZATION = statement<
  [rule: string, breaches: number | null, revision: number, checkedAt: string, definition: string | null]
>(
  () => `
    SELECT rule, breaches, revision, checked_at, definition FROM rule_result
      WHERE organization = $1 ORDER BY place`,
);

/** The latest results of an organization; `undefined` if its rules were never checked. */
export async function ruleResults(
  reader: Pick<Reader, "read">,
  organization: string,
): Promise<RuleResults | undefined> {
  const rows = await reader.read(OF_ORGANIZATION, organization);
  const [first] = rows;
  if (first === undefined) return undefined;
  const [, , revision, checkedAt] = first;
  const results = rows.map(([rule, breaches, , , definition]) => ({
    rule,
    breaches,
    ...(definition === null ? {} : { definition }),
  }));
  return { revision, checkedAt, results };
}

const TOTALS = statement<[rule: string, breaches: number, oldest: string]>(
  () => `
    SELECT rule, sum(coalesce(breaches, 1)), min(checked_at) FROM rule_result GROUP BY rule ORDER BY rule`,
);

/**
 * The number of breaches of each rule over all organizations, and the time of the rule's oldest result. A rule that
 * could not be checked counts as one breach.
 */
export async function breachTotals(
  reader: Pick<Reader, "read">,
): Promise<{ readonly rule: string; readonly breaches: number; readonly checkedAt: string }[]> {
  const rows = await reader.read(TOTALS);
  return rows.map(([rule, breaches, checkedAt]) => ({ rule, breaches: Number(breaches), checkedAt }));
}
