/**
 * Finds the members and contents that rules name. A rule that names something unknown is an error, so that it does not
 * pass as a rule without breaches.
 */
import { CommandError } from "../../domain/error.ts";
import type { ContentKey } from "../../domain/content.ts";
import type { Reading } from "../../store/reading.ts";
import type { Exception, Rule } from "../rules/rule.ts";
import { Audiences } from "./audiences.ts";
import type { AskedRule, CountingException } from "./question.ts";
import { isIn, type Scope, scopeOf } from "./scope.ts";

/** Whether an exception applies, has ended, or names something unknown; then it excuses nobody. */
export type ExceptionState = "counts" | "ended" | "names what is not there";

export interface ResolvedException {
  readonly exception: Exception;
  readonly state: ExceptionState;
}

/** A rule in which every name exists. */
export interface ResolvedRule extends AskedRule {
  /** Absent for the organization. */
  readonly scope: Scope | undefined;
  readonly exceptions: readonly ResolvedException[];
  readonly counting: readonly (CountingException & { readonly scope: Scope | undefined })[];
}

export interface UnresolvedRule {
  readonly rule: Rule;
  readonly problem: string;
}

export interface ResolvedRules {
  readonly resolved: readonly ResolvedRule[];
  readonly unresolved: readonly UnresolvedRule[];
  readonly audiences: Audiences;
}

/** `day`, such as `2026-12-31`, decides which exceptions have ended. */
export async function resolveRules(
  reading: Reading,
  rules: readonly Rule[],
  day: string,
): Promise<ResolvedRules> {
  const audiences = new Audiences();
  const resolved: ResolvedRule[] = [];
  const unresolved: UnresolvedRule[] = [];
  for (const rule of rules) {
    const found = await orMissing(async () => ({
      rule,
      audience: await audiences.add(reading, rule.who),
      scope: rule.what === "organization" ? undefined : await scopeOf(reading, rule.what),
    }));
    if (found instanceof CommandError) unresolved.push({ rule, problem: found.message });
    else resolved.push({ ...found, ...(await exceptionsOf(reading, rule, audiences, day)) });
  }
  return { resolved, unresolved, audiences };
}

async function exceptionsOf(
  reading: Reading,
  { exceptions }: Rule,
  audiences: Audiences,
  day: string,
): Promise<Pick<ResolvedRule, "exceptions" | "counting">> {
  const all: ResolvedException[] = [];
  const counting: ResolvedRule["counting"][number][] = [];
  for (const [index, exception] of exceptions.entries()) {
    const { who, what, until } = exception;
    if (until < day) {
      all.push({ exception, state: "ended" });
      continue;
    }
    const found = await orMissing(async () => ({
      audience: who === undefined ? undefined : await audiences.add(reading, who),
      scope: what === undefined ? undefined : await scopeOf(reading, what),
    }));
    const isThere = !(found instanceof CommandError);
    all.push({ exception, state: isThere ? "counts" : "names what is not there" });
    if (isThere) counting.push({ index, exception, ...found });
  }
  return { exceptions: all, counting };
}

/** Returns the CommandError that says what does not exist, instead of throwing it. */
async function orMissing<T>(find: () => Promise<T>): Promise<T | CommandError> {
  try {
    return await find();
  } catch (error) {
    if (error instanceof CommandError) return error;
    throw error;
  }
}

/** The exceptions that apply to a content; without a key, to the organization. */
export function countingOn({ counting }: ResolvedRule, key?: ContentKey): readonly CountingException[] {
  return counting.filter(({ scope }) => scope === undefined || (key !== undefined && isIn(scope, key)));
}
