/**
 * Counts the breaches of each rule at a revision, and lists the first ones. All rules are counted in one walk over the
 * contents that they name. Whether a rule counts a member on a content follows from the member's class and role: from
 * their cell. Only where a breach is listed, the content is painted once more to find its members.
 */
import { everybodyOn, type Visitor, withInherited } from "../model/everybody.ts";
import { listIn, type Lists, ListWriter, PERMISSION } from "../model/lists.ts";
import { ADMIN, type Model, NOTHING } from "../model/model.ts";
import { ROLE } from "../model/code.ts";
import { accessOn, paint } from "../model/paint.ts";
import { type Classes, classify } from "./audiences.ts";
import type { CountingException, ResolvedException, ResolvedRule } from "./resolve.ts";
import { type AccessRule, isAboutNumber } from "./rule.ts";

/** A member who breaks a rule, or a content on which too many or too few members have a role. */
export interface Breach {
  /** The content, or behind all contents the site. Absent for a rule about the organization. */
  readonly content: number | undefined;
  /** The member who breaks the rule. For a rule that limits a number: the first members who have the role. */
  readonly members: readonly number[];
  /** How many members have the role, for a rule that limits a number. */
  readonly count: number | undefined;
}

export interface RuleVerdict {
  readonly resolved: ResolvedRule;
  /** On how many contents the rule was checked; 1 for the organization. */
  contents: number;
  breaches: number;
  /** The first breaches, by content, then by user. */
  readonly listed: Breach[];
  readonly exceptions: readonly (ResolvedException & { excused: number })[];
}

/** How many classes of members, and how many counts of contents, are kept at once. */
const MOST_CLASSES = 1 << 12;
const MOST_COUNTS = 1 << 24;

/**
 * Checks rules: counts all breaches of each rule and lists up to `limit` of them. `progress` receives how many contents
 * are done.
 */
export function* evaluate(
  model: Model,
  rules: readonly ResolvedRule[],
  limit: number,
  progress: (contents: number) => void = () => {},
): Generator<void, RuleVerdict[]> {
  const classes = yield* classify(model, rules.flatMap(audiencesOf));
  const counts = model.contents.count * rules.reduce((sum, { counting }) => sum + 1 + counting.length, 0);
  if (rules.length > 1 && (classes.count > MOST_CLASSES || counts > MOST_COUNTS)) {
    const half = rules.length >>> 1;
    const first = yield* evaluate(model, rules.slice(0, half), limit, progress);
    return [...first, ...(yield* evaluate(model, rules.slice(half), limit, progress))];
  }
  const checks: Check[] = [];
  for (const rule of rules) checks.push(new Check(rule, classes, checks.at(-1)?.end ?? 0));
  const totals = new Totals(classes, checks);
  yield;
  countOrganization(model, totals);
  yield* countDirect(model, totals);
  yield* countEffective(model, totals, progress);
  return yield* verdictsOf(model, classes, checks, limit);
}

function audiencesOf({ rule: { who }, counting }: ResolvedRule) {
  return [who, ...counting.flatMap(({ exception }) => exception.who ?? [])];
}

/** The members of a class with a role are one cell. */
function cellOf(number: number, role: number): number {
  return number * (ROLE + 1) + role;
}

/** A rule on those contents to which the same of its exceptions apply. */
interface Variant {
  readonly exceptions: readonly CountingException[];
  /** By cell: 0, {@link COUNTED} or {@link EXCUSED}. */
  readonly outcomes: Uint16Array;
  /** Where its totals begin: how many members are counted, then how many each exception excuses. */
  readonly first: number;
}

const COUNTED = 1;
/** Excused by the first exception; more than that, by a later one. */
const EXCUSED = 2;

/** A rule, and what is counted for it on each content. What is about the organization is on content 0. */
class Check {
  readonly resolved: ResolvedRule;
  readonly variants: readonly Variant[];
  /** The variant of each content; absent if there is only one. */
  readonly #variantOf: Uint16Array | undefined;
  /** How many counts each content has. */
  readonly #width: number;
  readonly #counts: Uint32Array;
  /** Where the totals of its variants end. */
  readonly end: number;

  constructor(resolved: ResolvedRule, classes: Classes, first: number) {
    const { counting, scope } = resolved;
    this.resolved = resolved;
    this.#width = 1 + counting.length;
    this.#counts = new Uint32Array(this.#width * (scope?.length ?? 1));
    const isDivided = scope !== undefined && counting.some((each) => each.scope !== undefined);
    const { applying, of } = isDivided ? divided(counting, scope.length) : { applying: [counting] };
    this.#variantOf = of;
    this.variants = applying.map((exceptions, index) => ({
      exceptions,
      outcomes: outcomesOf(resolved.rule, exceptions, classes),
      first: first + index * this.#width,
    }));
    this.end = first + applying.length * this.#width;
  }

  variantOn(content: number): Variant {
    const found = this.variants[this.#variantOf?.[content] ?? 0];
    if (found === undefined) throw new Error("Each content has a variant.");
    return found;
  }

  add(content: number, totals: Int32Array): void {
    const { first, exceptions } = this.variantOn(content);
    const at = content * this.#width;
    for (let nth = 0; nth <= exceptions.length; nth++)
      this.#counts[at + nth] = (this.#counts[at + nth] ?? 0) + (totals[first + nth] ?? 0);
  }

  counted(content: number): number {
    return this.#counts[content * this.#width] ?? 0;
  }

  /** How many members an exception of the variant excuses. */
  excused(content: number, nth: number): number {
    return this.#counts[content * this.#width + 1 + nth] ?? 0;
  }
}

/** Which exceptions apply to which contents. */
function divided(counting: readonly CountingException[], count: number) {
  const applying: (readonly CountingException[])[] = [];
  const known = new Map<string, number>();
  const of = new Uint16Array(count);
  for (let content = 0; content < count; content++) {
    const here = counting.filter(({ scope }) => scope === undefined || scope[content] === 1);
    const name = here.map(({ index }) => index).join(" ");
    const found = known.get(name) ?? applying.push(here) - 1;
    known.set(name, found);
    of[content] = found;
  }
  return { applying, of };
}

/** What a rule does with the members of each cell. */
function outcomesOf(
  { who, how, from, to }: AccessRule,
  exceptions: readonly CountingException[],
  classes: Classes,
): Uint16Array {
  const outcomes = new Uint16Array(cellOf(classes.count, 0));
  for (let number = 0; number < classes.count; number++) {
    const isMeant = classes.has(who, number);
    // An exception to `at least` excuses a content and not members.
    const excusing =
      how.kind === "at least"
        ? -1
        : exceptions.findIndex(
            ({ exception }) => exception.who === undefined || classes.has(exception.who, number),
          );
    for (let role = NOTHING; role <= ADMIN; role++) {
      const holds = role >= from && role <= to;
      if (isCounted(how, isMeant, holds))
        outcomes[cellOf(number, role)] = excusing < 0 ? COUNTED : EXCUSED + excusing;
    }
  }
  return outcomes;
}

function isCounted({ kind }: AccessRule["how"], isMeant: boolean, holds: boolean): boolean {
  switch (kind) {
    case "only":
      return holds && !isMeant;
    case "all":
      return isMeant && !holds;
    case "none":
    case "at least":
    case "at most":
      return holds && isMeant;
  }
}

/** What is counted for all rules, as the members of a window get their roles. */
class Totals {
  readonly #classes: Classes;
  readonly #checks: readonly Check[];
  readonly #length: number;
  /** The totals to which a member of a cell adds. */
  readonly #of: Lists;
  /** How many members came to a cell, less those who left it, and the cells where that may not be 0. */
  readonly #came: Int32Array;
  readonly #cells: number[] = [];

  constructor(classes: Classes, checks: readonly Check[]) {
    this.#classes = classes;
    this.#checks = checks;
    this.#length = checks.at(-1)?.end ?? 0;
    this.#came = new Int32Array(cellOf(classes.count, 0));
    const variants = checks.flatMap((check) => check.variants);
    const writer = new ListWriter();
    for (const cell of this.#came.keys()) {
      for (const { first, outcomes } of variants) {
        const outcome = outcomes[cell] ?? 0;
        if (outcome > 0) writer.add(first + outcome - COUNTED);
      }
      writer.end();
    }
    this.#of = writer.lists();
  }

  /** The checks about the organization, about direct permissions, or about effective roles. */
  checksOf(about: "organization" | "direct" | "effective"): Check[] {
    return this.#checks.filter(({ resolved: { scope, rule } }) =>
      scope === undefined ? about === "organization" : about === (rule.direct ? "direct" : "effective"),
    );
  }

  none(): Int32Array {
    return new Int32Array(this.#length);
  }

  /** Notes that a member gets a role instead of another one. */
  becomes(member: number, was: number, role: number): void {
    this.#comes(member, was, -1);
    this.#comes(member, role, 1);
  }

  /** Notes that a member has a role, or with `count` -1 not any longer. */
  #comes(member: number, role: number, count: number): void {
    const cell = cellOf(this.#classes.of[member] ?? 0, role & ROLE);
    if (this.#came[cell] === 0) this.#cells.push(cell);
    this.#came[cell] = (this.#came[cell] ?? 0) + count;
  }

  /** Adds what was noted. */
  addTo(totals: Int32Array): void {
    const { at, entries } = this.#of;
    for (const cell of this.#cells) {
      const came = this.#came[cell] ?? 0;
      if (came === 0) continue;
      this.#came[cell] = 0;
      for (let k = at[cell] ?? 0; k < (at[cell + 1] ?? 0); k++) {
        const total = entries[k] ?? 0;
        totals[total] = (totals[total] ?? 0) + came;
      }
    }
    this.#cells.length = 0;
  }

  /** The totals if the members from `from` on have these roles. */
  of(roles: Uint8Array, from: number): Int32Array {
    for (let at = 0; at < roles.length; at++) this.#comes(from + at, roles[at] ?? NOTHING, 1);
    const totals = this.none();
    this.addTo(totals);
    return totals;
  }
}

function countOrganization({ members }: Model, totals: Totals): void {
  const checks = totals.checksOf("organization");
  if (checks.length === 0) return;
  const found = totals.of(members.roles, 0);
  for (const check of checks) check.add(0, found);
}

/** How many permissions are counted until others get a turn. */
const PERMISSIONS_A_TURN = 200_000;

/** The direct permissions on a content or a site: members, packed with ranks. The places of sites are behind the contents. */
function directOn({ contents, sites }: Model, place: number): Uint32Array {
  return place < contents.count ? listIn(contents.users, place) : listIn(sites.users, place - contents.count);
}

/** With `direct`, only the direct permissions on a content or a site itself count. */
function* countDirect(model: Model, totals: Totals): Generator<void> {
  const checks = totals.checksOf("direct");
  if (checks.length === 0) return;
  const none = totals.of(new Uint8Array(model.members.count), 0);
  let done = 0;
  for (let x = 0; x < model.contents.count + model.sites.count; x++) {
    done++;
    const here = checks.filter(({ resolved: { scope } }) => scope?.[x] === 1);
    if (here.length === 0) continue;
    const found = none.slice();
    const given = directOn(model, x);
    for (const entry of given) totals.becomes(entry >>> PERMISSION, NOTHING, entry & ROLE);
    totals.addTo(found);
    for (const check of here) check.add(x, found);
    done += given.length;
    if (done < PERMISSIONS_A_TURN) continue;
    done = 0;
    yield;
  }
}

function* countEffective(
  model: Model,
  totals: Totals,
  progress: (contents: number) => void,
): Generator<void> {
  const checks = totals.checksOf("effective");
  const wanted = new Uint8Array(model.contents.count);
  for (const { resolved } of checks)
    for (let x = 0; x < wanted.length; x++) if (resolved.scope?.[x] === 1) wanted[x] = 1;
  const contents = yield* withInherited(model, wanted);
  let first = 0;
  let bases: (Int32Array | undefined)[] = [];
  // What is counted on each content on the way down.
  const byDepth: Int32Array[] = [];
  const visitor: Visitor = {
    begin({ from }) {
      first = from;
      bases = [];
    },
    arrive({ depth, base }) {
      const counted = (byDepth[depth] ??= totals.none());
      const inherited =
        base === undefined ? byDepth[depth - 1] : (bases[base.number] ??= totals.of(base.sheet, first));
      counted.set(inherited ?? []);
      return true;
    },
    leave({ content, depth }, { begin, end, places, was, became }) {
      for (let at = begin; at < end; at++)
        totals.becomes(first + (places[at] ?? 0), was[at] ?? NOTHING, became[at] ?? NOTHING);
      const counted = byDepth[depth] ?? totals.none();
      totals.addTo(counted);
      if (wanted[content] !== 1) return;
      for (const check of checks) if (check.resolved.scope?.[content] === 1) check.add(content, counted);
    },
  };
  yield* everybodyOn(model, contents, visitor, progress);
}

/** How many members a breach of `at most` or `at least` names. */
const MOST_NAMED = 10;
const CONTENTS_A_TURN = 5_000;

function* verdictsOf(
  model: Model,
  classes: Classes,
  checks: readonly Check[],
  limit: number,
): Generator<void, RuleVerdict[]> {
  const breaking = new Breaking(model, classes);
  const verdicts = checks.map(({ resolved }): RuleVerdict => ({
    resolved,
    contents: 0,
    breaches: 0,
    listed: [],
    exceptions: resolved.exceptions.map((exception) => ({ ...exception, excused: 0 })),
  }));
  for (const [index, check] of checks.entries())
    if (check.resolved.scope === undefined) judge(verdicts[index], check, undefined);
  const sites = Array.from({ length: model.sites.count }, (_, site) => model.contents.count + site);
  for (const [done, x] of [...model.contents.byKey, ...sites].entries()) {
    for (const [index, check] of checks.entries())
      if (check.resolved.scope?.[x] === 1 && judge(verdicts[index], check, x)) yield;
    if (done % CONTENTS_A_TURN === CONTENTS_A_TURN - 1) yield;
  }
  return verdicts;

  /** Returns whether members were looked for. */
  function judge(verdict: RuleVerdict | undefined, check: Check, content: number | undefined): boolean {
    if (verdict === undefined) return false;
    const { how } = check.resolved.rule;
    const at = content ?? 0;
    const counted = check.counted(at);
    const { exceptions } = check.variantOn(at);
    for (const [nth, { index }] of exceptions.entries()) {
      const exception = verdict.exceptions[index];
      // An exception to `at least` excuses a content.
      const isContent = how.kind === "at least" && nth === 0 && counted < how.number;
      if (exception !== undefined) exception.excused += isContent ? 1 : check.excused(at, nth);
    }
    verdict.contents++;
    const breaches = breachesOf(how, counted, exceptions.length > 0);
    verdict.breaches += breaches;
    const free = limit - verdict.listed.length;
    if (breaches === 0 || free <= 0) return false;
    const most = Math.min(counted, isAboutNumber(how) ? MOST_NAMED : free);
    const members = breaking.members(check, content, most);
    if (isAboutNumber(how)) verdict.listed.push({ content, members, count: counted });
    else for (const member of members) verdict.listed.push({ content, members: [member], count: undefined });
    return most > 0;
  }
}

/** How many breaches one content has, without those that exceptions excuse. */
function breachesOf(how: AccessRule["how"], counted: number, hasExceptions: boolean): number {
  switch (how.kind) {
    case "at most":
      return counted > how.number ? 1 : 0;
    case "at least":
      return counted >= how.number || hasExceptions ? 0 : 1;
    default:
      return counted;
  }
}

/** How many members are painted at once to find some. */
const WINDOW = 1 << 16;

/** Finds the members whom a rule counts on a content. What is painted is kept for other rules on the same content. */
class Breaking {
  readonly #model: Model;
  readonly #classes: Classes;
  readonly #direct: Uint8Array;
  readonly #effective: Uint8Array;
  /** The contents of the two, and up to which member the second one is painted. */
  #directOf: number | undefined;
  #effectiveOf: number | undefined;
  #painted = 0;

  constructor(model: Model, classes: Classes) {
    this.#model = model;
    this.#classes = classes;
    this.#direct = new Uint8Array(model.members.count);
    this.#effective = new Uint8Array(model.members.count);
  }

  /** The first `most` members, ascending. */
  members(check: Check, content: number | undefined, most: number): number[] {
    const { outcomes } = check.variantOn(content ?? 0);
    const roles = this.#rolesOn(content, check.resolved.rule.direct);
    const found: number[] = [];
    for (let member = 0; found.length < most && member < roles.length; member++) {
      if (roles === this.#effective && member === this.#painted) this.#paintMore();
      const cell = cellOf(this.#classes.of[member] ?? 0, (roles[member] ?? NOTHING) & ROLE);
      if (outcomes[cell] === COUNTED) found.push(member);
    }
    return found;
  }

  #rolesOn(content: number | undefined, isDirect: boolean): Uint8Array {
    if (content === undefined) return this.#model.members.roles;
    if (!isDirect) {
      if (this.#effectiveOf !== content) [this.#effectiveOf, this.#painted] = [content, 0];
      return this.#effective;
    }
    if (this.#directOf === content) return this.#direct;
    this.#directOf = content;
    this.#direct.fill(NOTHING);
    for (const entry of directOn(this.#model, content)) this.#direct[entry >>> PERMISSION] = entry & ROLE;
    return this.#direct;
  }

  #paintMore(): void {
    const to = Math.min(this.#effective.length, this.#painted + WINDOW);
    const sheet = this.#effective.subarray(this.#painted, to);
    paint(this.#model, accessOn(this.#model, this.#effectiveOf ?? 0), this.#painted, to, sheet);
    this.#painted = to;
  }
}
