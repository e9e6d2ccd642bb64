/** Rules made ready for one revision of one organization: what they name is found there, or it is an error. */
import { CommandError } from "../../domain/error.ts";
import type { ContentKey } from "../../domain/content.ts";
import type { Reading } from "../../store/reading.ts";
import type { Exception, Rule } from "../rules/rule.ts";
import { Audiences } from "./audiences.ts";
import type { AskedRule, CountingException } from "./question.ts";
import { isIn, type Scope, scopeOf } from "./scope.ts";

/** Whether an exception counts, ended, or names something that is not there and so excuses nobody. */
export type ExceptionState = "counts" | "ended" | "names what is not there";

export interface ReadyException {
  readonly exception: Exception;
  readonly state: ExceptionState;
}

/** A rule that can be asked. */
export interface ReadyRule extends AskedRule {
  /** Absent: the organization itself. */
  readonly scope: Scope | undefined;
  readonly exceptions: readonly ReadyException[];
  readonly counting: readonly (CountingException & { readonly scope: Scope | undefined })[];
}

/** A rule that cannot be asked, since something that it names does not exist. */
export interface UnaskableRule {
  readonly rule: Rule;
  readonly problem: string;
}

export interface ReadyRules {
  readonly ready: readonly ReadyRule[];
  readonly unaskable: readonly UnaskableRule[];
  readonly audiences: Audiences;
}

/** Finds what some rules name. `day` is the day on which they are asked, such as `2026-12-31`: exceptions end. */
export async function readyRules(reading: Reading, rules: readonly Rule[], day: string): Promise<ReadyRules> {
  const audiences = new Audiences();
  const ready: ReadyRule[] = [];
  const unaskable: UnaskableRule[] = [];
  for (const rule of rules) {
    const found = await named(async () => ({
      rule,
      audience: await audiences.add(reading, rule.who),
      scope: rule.what === "organization" ? undefined : await scopeOf(reading, rule.what),
    }));
    if (found instanceof CommandError) unaskable.push({ rule, problem: found.message });
    else ready.push({ ...found, ...(await exceptionsOf(reading, rule, audiences, day)) });
  }
  return { ready, unaskable, audiences };
}

async function exceptionsOf(
  reading: Reading,
  { exceptions }: Rule,
  audiences: Audiences,
  day: string,
): Promise<Pick<ReadyRule, "exceptions" | "counting">> {
  const all: ReadyException[] = [];
  const counting: ReadyRule["counting"][number][] = [];
  for (const [place, exception] of exceptions.entries()) {
    const { who, what, until } = exception;
    if (until < day) {
      all.push({ exception, state: "ended" });
      continue;
    }
    const found = await named(async () => ({
      audience: who === undefined ? undefined : await audiences.add(reading, who),
      scope: what === undefined ? undefined : await scopeOf(reading, what),
    }));
    const isThere = !(found instanceof CommandError);
    all.push({ exception, state: isThere ? "counts" : "names what is not there" });
    if (isThere) counting.push({ place, exception, ...found });
  }
  return { exceptions: all, counting };
}

/** What was found, or that something named does not exist. */
async function named<T>(find: () => Promise<T>): Promise<T | CommandError> {
  try {
    return await find();
  } catch (error) {
    if (error instanceof CommandError) return error;
    throw error;
  }
}

/** The exceptions to a rule that count on a content; without a key, in the organization. */
export function countingOn({ counting }: ReadyRule, key?: ContentKey): readonly CountingException[] {
  return counting.filter(({ scope }) => scope === undefined || (key !== undefined && isIn(scope, key)));
}
