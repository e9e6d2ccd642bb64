/** Breaches in words: who breaks a rule, where, with which role and why; and what an import or a change would newly break. */
import { type ContentKey, idOf, kindOf } from "../domain/content.ts";
import { type Step, decide } from "../domain/ladder.ts";
import { type ContentRef, plain } from "../domain/reason.ts";
import { oneLine } from "../domain/text.ts";
import { type Person, sentenceOf } from "../domain/why.ts";
import { contents } from "../store/directory/contents.ts";
import { membersAt } from "../store/directory/member-rows.ts";
import { type Member, memberOf, withDirectOn } from "../store/directory/members.ts";
import { personOf } from "../store/directory/person.ts";
import type { Reading } from "../store/reading.ts";
import { type Breach, type RuleVerdict, evaluate } from "./check.ts";
import { reasonAt, titledLadderOf } from "./outcomes.ts";
import { type ResolvedRules, resolveRules } from "./resolve.ts";
import { type AccessRule, rangeWords } from "./rule.ts";

export interface BreachLine {
  readonly rule: string;
  /** Absent for the organization. */
  readonly content: ContentRef | undefined;
  /** The member who breaks the rule; for a rule that limits a number, the first members with the role. */
  readonly users: readonly Person[];
  /** How many members have the role, for a rule that limits a number. */
  readonly count: number | undefined;
  /** The member's role, `guest` or `none`; for a rule that limits a number, the roles that it limits. */
  readonly role: string;
  readonly reason: string;
}

export async function breachLines(
  reading: Reading,
  { resolved: { rule }, listed }: RuleVerdict,
): Promise<BreachLine[]> {
  const rows = await membersAt(reading, [...new Set(listed.flatMap(({ positions }) => positions))]);
  const lines: BreachLine[] = [];
  for (const breach of listed) {
    const members: Member[] = [];
    for (const position of breach.positions) {
      const member = await memberOf(reading, rows.get(position)?.[1] ?? "");
      if (member === undefined) throw new Error(`No member has position ${position}, which a set holds.`);
      members.push(member);
    }
    lines.push(await lineOf(reading, rule, breach, members));
  }
  return lines;
}

async function lineOf(
  reading: Reading,
  rule: AccessRule,
  { key, count }: Breach,
  members: readonly Member[],
): Promise<BreachLine> {
  const content = key === undefined ? undefined : await refOf(reading, key);
  const line = { rule: rule.words, content, users: members.map(personOf), count };
  const [member] = members;
  if (count !== undefined)
    return { ...line, role: rangeWords(rule), reason: numberReason(rule, count, members) };
  if (member === undefined) throw new Error(`Nobody breaks ${JSON.stringify(rule.words)}.`);
  if (key === undefined) return { ...line, role: member.role ?? "guest", reason: "organization role" };
  return { ...line, ...(await roleOn(reading, key, member, rule.direct)) };
}

async function refOf(reading: Reading, key: ContentKey): Promise<ContentRef> {
  const title = (await contents(reading, [key])).get(key)?.title ?? "";
  return { kind: kindOf(key), id: idOf(key), title };
}

function numberReason({ how }: AccessRule, count: number, members: readonly Member[]): string {
  const names = members.map(({ id }) => id).join(", ");
  const more = count > members.length ? " and others" : "";
  const wanted = "number" in how ? `${how.kind} ${how.number} accepted` : "";
  return count === 0 ? `nobody has it; ${wanted}` : `${count} have it: ${names}${more}; ${wanted}`;
}

/** With `direct`, only the direct permission on the content counts. */
async function roleOn(
  reading: Reading,
  key: ContentKey,
  member: Member,
  direct: boolean,
): Promise<{ readonly role: string; readonly reason: string }> {
  const titled = await titledLadderOf(reading, key);
  if (titled === undefined) throw new Error(`${key} is not in the revision.`);
  const found = await withDirectOn(reading, member, [titled.ladder]);
  if (direct) {
    const role = found.direct.get(key);
    return role === undefined
      ? { role: "none", reason: "no direct permission here" }
      : { role, reason: "direct permission here" };
  }
  let step: Step | undefined;
  const decision = decide(titled.ladder, found, (tried) => (step = tried));
  if (decision !== undefined) return { role: decision.role, reason: reasonAt(titled, decision) };
  if (step === undefined) throw new Error("A ladder reports its steps.");
  const { organization, title } = reading.at;
  const ruling = {
    subject: key,
    organization: { id: organization, title },
    person: personOf(member),
    teams: member.teams,
    step,
    givenAbove: false,
  };
  const sentence = plain(sentenceOf(ruling, titled.titles));
  return { role: "none", reason: sentence.replace(/^No access, because /, "") };
}

/** `problem` says why the rule cannot be checked; it is then neither kept nor broken. */
export type BreachStatus =
  | { readonly breaches: number; readonly gone: readonly string[] }
  | { readonly problem: string; readonly isMisspelt: boolean };

export interface RuleStatus {
  readonly rule: AccessRule;
  readonly after: BreachStatus;
  /** `undefined` if the organization did not exist. */
  readonly before: BreachStatus | undefined;
  /** The first breaches after the change. */
  readonly first: readonly BreachLine[];
}

/** How many breaches of a rule are shown. */
const MOST_SHOWN = 5;

/** `before` and `after` are the states before and after the change; `day` is that of {@link resolveRules}. */
export async function ruleStatusesOf(
  rules: readonly AccessRule[],
  before: Reading | undefined,
  after: Reading,
  day: string,
): Promise<RuleStatus[]> {
  const is = await statuses(after, await resolveRules(after, rules, day), MOST_SHOWN);
  const statusesBefore = async (reading: Reading) =>
    // What the change brings was nobody and nothing before.
    statuses(reading, await resolveRules(reading, rules, day, { anyName: true }), 0);
  const was = before === after ? is : before && (await statusesBefore(before));
  return rules.map((rule) => {
    const { status, first } = is.get(rule) ?? NEVER;
    return { rule, after: status, before: was?.get(rule)?.status, first };
  });
}

const NEVER = { status: { problem: "It was not checked.", isMisspelt: false }, first: [] };

async function statuses(reading: Reading, resolved: ResolvedRules, shown: number) {
  const found = new Map<
    AccessRule,
    { readonly status: BreachStatus; readonly first: readonly BreachLine[] }
  >();
  for (const { rule, ...status } of resolved.unresolved) found.set(rule, { status, first: [] });
  for (const verdict of await evaluate(reading, resolved, shown)) {
    const { breaches } = verdict;
    const { rule, gone } = verdict.resolved;
    found.set(rule, { status: { breaches, gone }, first: await breachLines(reading, verdict) });
  }
  return found;
}

/** Whether the change breaks a rule that was not broken. A misspelt rule counts as broken. */
export function isNewlyBroken({ before, after }: RuleStatus): boolean {
  if ("problem" in after) return after.isMisspelt;
  return after.breaches > 0 && !(before !== undefined && isBroken(before));
}

function isBroken(status: BreachStatus): boolean {
  return "breaches" in status && status.breaches > 0;
}

/** Whether the rule was checked and has no breach. */
export function isKept(status: BreachStatus): boolean {
  return "breaches" in status && status.breaches === 0;
}

/** For the table: the member who breaks a rule, or how many members do. */
export function whoOf({ users: [first], count }: BreachLine): string {
  if (count !== undefined) return count === 1 ? "1 member" : `${count.toLocaleString("en")} members`;
  return first === undefined ? "" : `${first.displayName} (${first.id})`;
}

/** For the table: where a rule is broken. */
export function whatOf({ content }: BreachLine): string {
  return content === undefined ? "organization" : `${content.title} (${content.kind}/${content.id})`;
}

/** The columns of breaches on the explorer's page. */
export const BREACH_COLUMNS = ["rule", "kind", "content", "title", "user", "name", "role", "count", "reason"];

/** Line ends become spaces. */
export function breachCells({ rule, content, users: [first], count, role, reason }: BreachLine): string[] {
  const what = [rule, content?.kind ?? "", content?.id ?? "", content?.title ?? ""];
  const who = count === undefined && first !== undefined ? [first.id, first.displayName] : ["", ""];
  return [...what, ...who, role, count === undefined ? "" : String(count), reason].map(oneLine);
}
