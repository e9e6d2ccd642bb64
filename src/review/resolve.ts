/**
 * Finds the members and contents that rules name. Who left and what was removed is nobody and nothing. A rule that names
 * something that never was there is misspelt, so that it does not pass as a rule without breaches.
 */
import { contentKey } from "../domain/content.ts";
import { listIn } from "../model/lists.ts";
import { findContent, findMember, findSite, findTeam, type Model } from "../model/model.ts";
import { saysIn } from "../model/sites.ts";
import type { Reader } from "../store/engine/engine.ts";
import { wasEver } from "../store/revisions/kept-names.ts";
import { ruleResults } from "../store/rule-results.ts";
import { type AccessRule, type Exception, type RuleName, type What, namesIn, needsMembers } from "./rule.ts";

/** Whether an exception applies, has ended, or names something that is not there; then it excuses nobody. */
type ExceptionState = "counts" | "ended" | "names what is not there";

export interface ResolvedException {
  readonly exception: Exception;
  readonly state: ExceptionState;
}

/** Contents of a model, and for direct permissions its sites: 1 for each that is meant. */
type Scope = Uint8Array;

/** An exception that has not ended. `index` is its index in the rule. */
export interface CountingException {
  readonly index: number;
  readonly exception: Exception;
  /** Absent for everything that the rule is about. */
  readonly scope: Scope | undefined;
}

/** A rule that can be checked. */
export interface ResolvedRule {
  readonly rule: AccessRule;
  /** What it names and is not there, in words. */
  readonly gone: readonly string[];
  /** Absent for the organization. */
  readonly scope: Scope | undefined;
  readonly exceptions: readonly ResolvedException[];
  readonly counting: readonly CountingException[];
}

/** A rule that cannot be checked. */
export interface UnresolvedRule {
  readonly rule: AccessRule;
  readonly problem: string;
  /** Whether the rule names something that never was there. */
  readonly isMisspelt: boolean;
}

export interface ResolvedRules {
  readonly resolved: readonly ResolvedRule[];
  readonly unresolved: readonly UnresolvedRule[];
}

/**
 * `reader` reads the past of the organization. `day`, such as `2026-12-31`, decides which exceptions have ended. With `anyName`, no
 * name is misspelt: each that is not there is nobody or nothing.
 */
export async function resolveRules(
  reader: Pick<Reader, "read">,
  model: Model,
  rules: readonly AccessRule[],
  day: string,
  { anyName = false } = {},
): Promise<ResolvedRules> {
  const names = new Names(reader, model);
  const resolved: ResolvedRule[] = [];
  const unresolved: UnresolvedRule[] = [];
  for (const rule of rules) {
    const absent = names.absentIn(rule);
    const misspelt = anyName ? undefined : await names.misspeltAmong(absent);
    const [first] = absent;
    if (misspelt !== undefined) {
      const problem = `There is ${nothing(misspelt, model)}.`;
      unresolved.push({ rule, problem, isMisspelt: true });
    } else if (first !== undefined && needsMembers(rule.how)) {
      // At an earlier revision, it may be what came later.
      const problem = `There is ${nothing(first, model)} at this revision.`;
      unresolved.push({ rule, problem, isMisspelt: false });
    } else {
      resolved.push({
        rule,
        gone: absent.map(({ kind, id }) => `${kind} ${JSON.stringify(id)}`),
        scope: rule.what === "organization" ? undefined : scopeOf(model, rule.what, rule.direct),
        ...exceptionsOf(model, rule, names, day),
      });
    }
  }
  return { resolved, unresolved };
}

function nothing({ kind, id }: RuleName, { organization }: Model): string {
  return `no ${kind} ${JSON.stringify(id)} in organization ${organization.id}`;
}

/** Looks up the names in rules. */
class Names {
  readonly #reader: Pick<Reader, "read">;
  readonly #model: Model;
  #recorded: Promise<ReadonlySet<string>> | undefined;

  constructor(reader: Pick<Reader, "read">, model: Model) {
    this.#reader = reader;
    this.#model = model;
  }

  /** The names in a rule or an exception of what is not there at the revision, once each. */
  absentIn(named: Parameters<typeof namesIn>[0]): RuleName[] {
    const absent = namesIn(named).filter((name) => numberOf(this.#model, name) === undefined);
    return [...new Map(absent.map((name) => [textOf(name), name])).values()];
  }

  /** The first name that neither a kept revision nor a recorded rule had. */
  async misspeltAmong(absent: readonly RuleName[]): Promise<RuleName | undefined> {
    for (const name of absent) {
      const { id: organization } = this.#model.organization;
      if (await wasEver(this.#reader, organization, name.kind, name.id)) continue;
      this.#recorded ??= namesRecorded(this.#reader, organization);
      if (!(await this.#recorded).has(textOf(name))) return name;
    }
    return undefined;
  }
}

function numberOf(model: Model, { kind, id }: RuleName): number | undefined {
  switch (kind) {
    case "team":
      return findTeam(model, id);
    case "member":
      return findMember(model, id);
    case "site":
      return findSite(model, id);
    case "space":
    case "collection":
      return findContent(model, contentKey(kind, id));
  }
}

function textOf({ kind, id }: RuleName): string {
  return `${kind}/${id}`;
}

/** The names in the recorded rules. Of a misspelt rule, only its words are recorded. */
async function namesRecorded(
  reader: Pick<Reader, "read">,
  organization: string,
): Promise<ReadonlySet<string>> {
  // Loaded here because it needs the YAML parser.
  const { ruleOf } = await import("./read-rules.ts");
  const found = new Set<string>();
  for (const { breaches, definition } of (await ruleResults(reader, organization))?.results ?? []) {
    if (definition === undefined) continue;
    const rule = ruleOf(definition);
    // An earlier program recorded misspelt rules as rules that cannot be checked.
    if (breaches === null && !needsMembers(rule.how)) continue;
    for (const name of namesIn(rule)) found.add(textOf(name));
  }
  return found;
}

function exceptionsOf(
  model: Model,
  { exceptions, direct }: AccessRule,
  names: Names,
  day: string,
): Pick<ResolvedRule, "exceptions" | "counting"> {
  const all: ResolvedException[] = [];
  const counting: CountingException[] = [];
  for (const [index, exception] of exceptions.entries()) {
    const { what, until } = exception;
    if (until < day) {
      all.push({ exception, state: "ended" });
      continue;
    }
    const isThere = names.absentIn(exception).length === 0;
    all.push({ exception, state: isThere ? "counts" : "names what is not there" });
    if (isThere)
      counting.push({
        index,
        exception,
        scope: what === undefined ? undefined : scopeOf(model, what, direct),
      });
  }
  return { exceptions: all, counting };
}

/**
 * A content or site that does not exist is no content. With `direct`, the sites that say something are behind the contents:
 * the place of a site is its number and the number of all contents.
 */
function scopeOf(model: Model, what: What, direct: boolean): Scope {
  const { contents, sites } = model;
  const found = new Uint8Array(contents.count + (direct ? sites.count : 0));
  // An effective role is on no site: without `direct`, the scope has no such place.
  const addSites = (from: number, to: number) => {
    for (let site = from; site < to; site++) if (saysIn(model, site)) found[contents.count + site] = 1;
    return found;
  };
  switch (what.kind) {
    case "everything":
      found.fill(1, 0, contents.count);
      return addSites(0, sites.count);
    case "sites":
      for (const space of sites.spaces.entries) found[space] = 1;
      return addSites(0, sites.count);
    case "site": {
      const site = findSite(model, what.id);
      if (site === undefined) return found;
      for (const space of listIn(sites.spaces, site)) found[space] = 1;
      return addSites(site, site + 1);
    }
    case "space":
    case "collection": {
      const content = findContent(model, contentKey(what.kind, what.id));
      return content === undefined ? found : found.fill(1, content, content + 1);
    }
    case "below": {
      const top = findContent(model, contentKey("collection", what.id));
      return top === undefined ? found : found.fill(1, top, contents.ends[top]);
    }
    case "everything but": {
      const out = scopeOf(model, what.of, direct);
      return scopeOf(model, { kind: "everything" }, direct).map((isIn, x) => (out[x] === 1 ? 0 : isIn));
    }
    case "any of":
      for (const each of what.of)
        for (const [x, isIn] of scopeOf(model, each, direct).entries()) if (isIn === 1) found[x] = 1;
      return found;
  }
}
