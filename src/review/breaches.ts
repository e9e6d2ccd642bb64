/** Breaches in words: who breaks a rule, where, with which role and why; and what an import or a change would newly break. */
import type { Step } from "../domain/ladder.ts";
import { type ContentRef, type Titled, plain, reasonOf } from "../domain/reason.ts";
import { roleOf } from "../domain/role.ts";
import { oneLine } from "../domain/text.ts";
import { type Person, sentenceOf } from "../domain/why.ts";
import { PERMISSION, valueIn } from "../model/lists.ts";
import { keyOf, memberId, type Model, NOTHING, organizationRole } from "../model/model.ts";
import { contentRef, personIn, siteTitle, titlesIn } from "../model/records.ts";
import { decisionOn, rightsOn } from "../model/why.ts";
import { workInTurns } from "../store/turns.ts";
import type { Examined } from "../store/writing/organization-change.ts";
import { type Breach, type RuleVerdict, evaluate } from "./check.ts";
import { resolveRules } from "./resolve.ts";
import { type AccessRule, rangeWords } from "./rule.ts";

export interface BreachLine {
  readonly rule: string;
  /** Absent for the organization. */
  readonly content: ContentRef | (Titled & { readonly kind: "site" }) | undefined;
  /** The member who breaks the rule; for a rule that limits a number, the first members with the role. */
  readonly users: readonly Person[];
  /** How many members have the role, for a rule that limits a number. */
  readonly count: number | undefined;
  /** The member's role, `guest` or `none`; for a rule that limits a number, the roles that it limits. */
  readonly role: string;
  readonly reason: string;
}

/** How many breaches are worded until others get a turn. */
const LINES_A_TURN = 100;

export function* breachLines(
  model: Model,
  { resolved: { rule }, listed }: RuleVerdict,
): Generator<void, BreachLine[]> {
  const lines: BreachLine[] = [];
  for (const breach of listed) if (lines.push(lineOf(model, rule, breach)) % LINES_A_TURN === 0) yield;
  return lines;
}

function lineOf(model: Model, rule: AccessRule, { content: x, members, count }: Breach): BreachLine {
  const line = {
    rule: rule.words,
    content: x === undefined ? undefined : placeRef(model, x),
    users: members.map((member) => personIn(model, member)),
    count,
  };
  if (count !== undefined) {
    const ids = members.map((member) => memberId(model, member));
    return { ...line, role: rangeWords(rule), reason: numberReason(rule, count, ids) };
  }
  const [member] = members;
  if (member === undefined) throw new Error(`Nobody breaks ${JSON.stringify(rule.words)}.`);
  if (x === undefined)
    return { ...line, role: organizationRole(model, member) ?? "guest", reason: "organization role" };
  return { ...line, ...roleOn(model, member, x, rule.direct) };
}

/** The content or the site of a place. */
function placeRef(model: Model, place: number): NonNullable<BreachLine["content"]> {
  const site = place - model.contents.count;
  if (site < 0) return contentRef(model, place);
  return { kind: "site", id: model.sites.ids[site] ?? "", title: siteTitle(model, site) };
}

function numberReason({ how }: AccessRule, count: number, ids: readonly string[]): string {
  const more = count > ids.length ? " and others" : "";
  const wanted = "number" in how ? `${how.kind} ${how.number} accepted` : "";
  return count === 0 ? `nobody has it; ${wanted}` : `${count} have it: ${ids.join(", ")}${more}; ${wanted}`;
}

/** With `direct`, only the direct permission on the content counts. */
function roleOn(
  model: Model,
  member: number,
  content: number,
  direct: boolean,
): { readonly role: string; readonly reason: string } {
  if (direct) {
    const site = content - model.contents.count;
    const role =
      site < 0
        ? valueIn(model.members.permissions, member, content, PERMISSION)
        : valueIn(model.sites.users, site, member, PERMISSION);
    if (role === undefined) return { role: "none", reason: "no direct permission here" };
    return { role: role === NOTHING ? "none" : roleOf(role), reason: "direct permission here" };
  }
  const subject = keyOf(model, content);
  const titles = titlesIn(model);
  let step: Step | undefined;
  const decision = decisionOn(model, member, content, (tried) => (step = tried));
  if (decision !== undefined)
    return { role: decision.role, reason: plain(reasonOf(subject, decision, titles).because) };
  if (step === undefined) throw new Error("A ladder reports its steps.");
  const ruling = {
    subject,
    organization: model.organization,
    person: personIn(model, member),
    teams: rightsOn(model, member, content).teams,
    step,
    givenAbove: false,
  };
  const sentence = plain(sentenceOf(ruling, titles));
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

/** How rules stand before and after a change; `day` is that of {@link resolveRules}. */
export async function ruleStatusesOf(
  rules: readonly AccessRule[],
  { before, after, reader }: Omit<Examined, "organization">,
  day: string,
): Promise<RuleStatus[]> {
  const is = await statuses(reader, after, rules, day, { shown: MOST_SHOWN });
  const was =
    before === after || before === undefined
      ? before && is
      : // What the change brings was nobody and nothing before.
        await statuses(reader, before, rules, day, { shown: 0, anyName: true });
  return rules.map((rule) => {
    const { status, first } = is.get(rule) ?? NEVER;
    return { rule, after: status, before: was?.get(rule)?.status, first };
  });
}

const NEVER = { status: { problem: "It was not checked.", isMisspelt: false }, first: [] };

async function statuses(
  reader: Examined["reader"],
  model: Model,
  rules: readonly AccessRule[],
  day: string,
  { shown, anyName = false }: { readonly shown: number; readonly anyName?: boolean },
) {
  const { resolved, unresolved } = await resolveRules(reader, model, rules, day, { anyName });
  const found = new Map<
    AccessRule,
    { readonly status: BreachStatus; readonly first: readonly BreachLine[] }
  >();
  for (const { rule, ...status } of unresolved) found.set(rule, { status, first: [] });
  for (const verdict of await workInTurns(evaluate(model, resolved, shown))) {
    const { breaches } = verdict;
    const { rule, gone } = verdict.resolved;
    found.set(rule, {
      status: { breaches, gone },
      first: await workInTurns(breachLines(model, verdict)),
    });
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
