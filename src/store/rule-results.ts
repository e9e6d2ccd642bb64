/** How the rules of an organization stood when they were last checked, for metrics and the explorer. */
import { type Connection, type Reader, statement } from "./engine/engine.ts";

export interface RuleResult {
  /** The rule in its own words. */
  readonly rule: string;
  /** `null` where the rule could not be asked. */
  readonly breaches: number | null;
}

/** The rules of an organization, in the order of their file. */
export interface RuleResults {
  /** Of which revision. */
  readonly revision: number;
  /** ISO 8601, UTC. */
  readonly checkedAt: string;
  readonly results: readonly RuleResult[];
}

/** The table; `text` is the type of its texts. */
export const RULE_RESULT = (text: string) => `
    CREATE TABLE rule_result (       -- how the rules of an organization stood when they were last checked
      organization ${text} NOT NULL,
      place integer NOT NULL,        -- in the order of their file
      rule ${text} NOT NULL,         -- in its own words
      breaches bigint,               -- null where it could not be asked
      revision bigint NOT NULL,
      checked_at ${text} NOT NULL,
      PRIMARY KEY (organization, place)
    );`;

const DROP = statement<never>(() => "DELETE FROM rule_result WHERE organization = $1");
const INSERT = statement<never>(
  () => `
    INSERT INTO rule_result (organization, place, rule, breaches, revision, checked_at) VALUES ($1, $2, $3, $4, $5, $6)`,
);

/** Keeps the results of an organization in place of those that it had. To be called in a transaction. */
export async function keepRuleResults(
  connection: Connection,
  organization: string,
  { revision, checkedAt, results }: RuleResults,
): Promise<void> {
  await dropRuleResults(connection, organization);
  for (const [place, { rule, breaches }] of results.entries()) {
    await connection.write(INSERT, organization, place, rule, breaches, revision, checkedAt);
  }
}

export async function dropRuleResults(connection: Connection, organization: string): Promise<void> {
  await connection.write(DROP, organization);
}

const OF_ORGANIZATION = statement<
  [rule: string, breaches: number | null, revision: number, checkedAt: string]
>(
  () => "SELECT rule, breaches, revision, checked_at FROM rule_result WHERE organization = $1 ORDER BY place",
);

/** The last results of an organization; `undefined` where its rules were never checked. */
export async function ruleResults(
  reader: Pick<Reader, "read">,
  organization: string,
): Promise<RuleResults | undefined> {
  const rows = await reader.read(OF_ORGANIZATION, organization);
  const [first] = rows;
  if (first === undefined) return undefined;
  const [, , revision, checkedAt] = first;
  return { revision, checkedAt, results: rows.map(([rule, breaches]) => ({ rule, breaches })) };
}

const TOTALS = statement<[rule: string, breaches: number, oldest: string]>(
  () => `
    SELECT rule, sum(coalesce(breaches, 1)), min(checked_at) FROM rule_result GROUP BY rule ORDER BY rule`,
);

/** Breaches by rule over all organizations, and when the oldest of them was counted. A rule that cannot be asked is one. */
export async function breachTotals(
  reader: Pick<Reader, "read">,
): Promise<{ readonly rule: string; readonly breaches: number; readonly checkedAt: string }[]> {
  const rows = await reader.read(TOTALS);
  return rows.map(([rule, breaches, checkedAt]) => ({ rule, breaches: Number(breaches), checkedAt }));
}
