/**
 * Finds the members and contents that rules name. Who left and what was removed is nobody and nothing. A rule that names
 * something that never was there is misspelt, so that it does not pass as a rule without breaches.
 */
import { type ContentKey, contentKey } from "../domain/content.ts";
import { compareIds } from "../domain/id.ts";
import { ROLES } from "../domain/role.ts";
import { chunkOf, slotOf } from "../sets/position.ts";
import { type Words, addAll, addSlot, countSlots, keepOnly, noSlots, removeAll } from "../sets/words.ts";
import { contents } from "../store/directory/contents.ts";
import { memberOf } from "../store/directory/members.ts";
import { spacesOfSite, spacesOfSites } from "../store/directory/sites.ts";
import { statement } from "../store/engine/engine.ts";
import { ChunkedSets } from "../store/memory/sets.ts";
import { universeIndex } from "../store/memory/universe.ts";
import type { Reading } from "../store/reading.ts";
import { contentsBelow } from "../store/report.ts";
import { wasEver } from "../store/revisions/kept-names.ts";
import { ruleResults } from "../store/rule-results.ts";
import { holds } from "../store/schema/as-of.ts";
import { MEMBERS, memberSets } from "../store/schema/set-names.ts";
import {
  type AccessRule,
  type Exception,
  type RuleName,
  type What,
  type Who,
  namesIn,
  needsMembers,
} from "./rule.ts";

/** Whether an exception applies, has ended, or names something that is not there; then it excuses nobody. */
type ExceptionState = "counts" | "ended" | "names what is not there";

export interface ResolvedException {
  readonly exception: Exception;
  readonly state: ExceptionState;
}

/** A rule that can be checked. */
export interface ResolvedRule extends AskedRule {
  /** What it names and is not there, in words. */
  readonly gone: readonly string[];
  /** Absent for the organization. */
  readonly scope: Scope | undefined;
  readonly exceptions: readonly ResolvedException[];
  readonly counting: readonly (CountingException & { readonly scope: Scope | undefined })[];
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
  readonly audiences: AudienceSets;
}

/**
 * `day`, such as `2026-12-31`, decides which exceptions have ended. With `anyName`, no name is misspelt: each that is
 * not there is nobody or nothing.
 */
export async function resolveRules(
  reading: Reading,
  rules: readonly AccessRule[],
  day: string,
  { anyName = false } = {},
): Promise<ResolvedRules> {
  const names = new Names(reading);
  const audiences = new AudienceSets();
  const resolved: ResolvedRule[] = [];
  const unresolved: UnresolvedRule[] = [];
  for (const rule of rules) {
    const absent = await names.absentIn(rule);
    const misspelt = anyName ? undefined : await names.misspeltAmong(absent);
    const [first] = absent;
    if (misspelt !== undefined) {
      const problem = `There is ${nothing(misspelt, reading)}.`;
      unresolved.push({ rule, problem, isMisspelt: true });
    } else if (first !== undefined && needsMembers(rule.how)) {
      // At an earlier revision, it may be what came later.
      const problem = `There is ${nothing(first, reading)} at this revision.`;
      unresolved.push({ rule, problem, isMisspelt: false });
    } else {
      resolved.push({
        rule,
        gone: absent.map(({ kind, id }) => `${kind} ${JSON.stringify(id)}`),
        audience: await audiences.add(reading, rule.who),
        scope: rule.what === "organization" ? undefined : await scopeOf(reading, rule.what),
        ...(await exceptionsOf(reading, rule, { names, audiences, day })),
      });
    }
  }
  return { resolved, unresolved, audiences };
}

function nothing({ kind, id }: RuleName, { at }: Reading): string {
  return `no ${kind} ${JSON.stringify(id)} in organization ${at.organization}`;
}

const TEAM = statement<[id: string]>(() => `SELECT t.id FROM team t WHERE ${holds("t")} AND t.id = $3`);

/** Looks up the names in rules, each once. */
class Names {
  readonly #reading: Reading;
  readonly #there = new Map<string, Promise<boolean>>();
  #recorded: Promise<ReadonlySet<string>> | undefined;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  /** The names in a rule or an exception of what is not there at the revision, once each. */
  async absentIn(named: Parameters<typeof namesIn>[0]): Promise<RuleName[]> {
    const absent = new Map<string, RuleName>();
    for (const name of namesIn(named)) {
      const key = textOf(name);
      const there = this.#there.get(key) ?? this.#isThere(name);
      this.#there.set(key, there);
      if (!(await there)) absent.set(key, name);
    }
    return [...absent.values()];
  }

  /** The first name that neither a kept revision nor a recorded rule had. */
  async misspeltAmong(absent: readonly RuleName[]): Promise<RuleName | undefined> {
    for (const name of absent) {
      if (await wasEver(this.#reading, name.kind, name.id)) continue;
      this.#recorded ??= namesRecorded(this.#reading);
      if (!(await this.#recorded).has(textOf(name))) return name;
    }
    return undefined;
  }

  async #isThere({ kind, id }: RuleName): Promise<boolean> {
    const reading = this.#reading;
    switch (kind) {
      case "team":
        return (await reading.read(TEAM, ...reading.asOf, id)).length > 0;
      case "member":
        return (await memberOf(reading, id)) !== undefined;
      case "site":
        return (await spacesOfSite(reading, id)) !== undefined;
      case "space":
      case "collection": {
        const key = contentKey(kind, id);
        return (await contents(reading, [key])).has(key);
      }
    }
  }
}

function textOf({ kind, id }: RuleName): string {
  return `${kind}/${id}`;
}

/** The names in the recorded rules. Of a misspelt rule, only its words are recorded. */
async function namesRecorded(reading: Reading): Promise<ReadonlySet<string>> {
  // Loaded here because it needs the YAML parser.
  const { ruleOf } = await import("./read-rules.ts");
  const found = new Set<string>();
  for (const { breaches, definition } of (await ruleResults(reading, reading.at.organization))?.results ??
    []) {
    if (definition === undefined) continue;
    const rule = ruleOf(definition);
    // An earlier program recorded misspelt rules as rules that cannot be checked.
    if (breaches === null && !needsMembers(rule.how)) continue;
    for (const name of namesIn(rule)) found.add(textOf(name));
  }
  return found;
}

async function exceptionsOf(
  reading: Reading,
  { exceptions }: AccessRule,
  {
    names,
    audiences,
    day,
  }: { readonly names: Names; readonly audiences: AudienceSets; readonly day: string },
): Promise<Pick<ResolvedRule, "exceptions" | "counting">> {
  const all: ResolvedException[] = [];
  const counting: ResolvedRule["counting"][number][] = [];
  for (const [index, exception] of exceptions.entries()) {
    const { who, what, until } = exception;
    if (until < day) {
      all.push({ exception, state: "ended" });
      continue;
    }
    const isThere = (await names.absentIn(exception)).length === 0;
    all.push({ exception, state: isThere ? "counts" : "names what is not there" });
    if (!isThere) continue;
    counting.push({
      index,
      exception,
      audience: who === undefined ? undefined : await audiences.add(reading, who),
      scope: what === undefined ? undefined : await scopeOf(reading, what),
    });
  }
  return { exceptions: all, counting };
}

/** The exceptions that apply to a content; without a key, to the organization. */
export function countingOn({ counting }: ResolvedRule, key?: ContentKey): readonly CountingException[] {
  return counting.filter(({ scope }) => scope === undefined || (key !== undefined && isIn(scope, key)));
}

/** The members whom rules and exceptions name, as sets of slots that are read chunk by chunk. */
class AudienceSets {
  readonly #all: Who[] = [];
  /** Indexes by text, so that rules and exceptions about the same members share one. */
  readonly #indexes = new Map<string, number>();
  readonly #names = new Set<string>([null, ...ROLES].map((role) => memberSets.withRole(role)));
  readonly #positions = new Map<string, number>();
  readonly #chunks = new Map<number, readonly (Words | undefined)[]>();
  #sets: ChunkedSets | undefined;

  /** Adds some members. Returns their index in the result of {@link slotsIn}. */
  async add(reading: Reading, who: Who): Promise<number> {
    const text = JSON.stringify(who);
    const known = this.#indexes.get(text);
    if (known !== undefined) return known;
    await this.#find(reading, who);
    const index = this.#all.push(who) - 1;
    this.#indexes.set(text, index);
    return index;
  }

  async #find(reading: Reading, who: Who): Promise<void> {
    switch (who.kind) {
      case "any of":
      case "all of":
        for (const each of who.of) await this.#find(reading, each);
        return;
      case "everybody but":
        return this.#find(reading, who.of);
      case "team":
        this.#names.add(memberSets.ofTeam(who.id));
        return;
      case "user": {
        const member = await memberOf(reading, who.id);
        if (member !== undefined) this.#positions.set(who.id, member.position);
        return;
      }
      default:
    }
  }

  /** The slots in a chunk of all added members, by index; `undefined` if nobody is there. Read-only. */
  async slotsIn(reading: Reading, chunk: number): Promise<readonly (Words | undefined)[]> {
    const known = this.#chunks.get(chunk);
    if (known !== undefined) return known;
    const index = await universeIndex(reading, MEMBERS);
    this.#sets ??= new ChunkedSets([...this.#names], (name) => index.head(name));
    const sets = this.#sets;
    const words = await sets.read(reading, chunk);
    const of = (name: string) => words[sets.indexOf(name) ?? -1];
    const found = this.#all.map((who) => {
      const slots = this.#wordsOf(who, chunk, of);
      return countSlots(slots) === 0 ? undefined : slots;
    });
    this.#chunks.set(chunk, found);
    return found;
  }

  #wordsOf(who: Who, chunk: number, of: (name: string) => Words | undefined): Words {
    const words = noSlots();
    switch (who.kind) {
      case "everybody":
        for (const role of [null, ...ROLES]) addAll(words, of(memberSets.withRole(role)));
        return words;
      case "guests":
        return addAll(words, of(memberSets.withRole(null)));
      case "role":
        return addAll(words, of(memberSets.withRole(who.role)));
      case "team":
        return addAll(words, of(memberSets.ofTeam(who.id)));
      case "user": {
        const position = this.#positions.get(who.id);
        if (position !== undefined && chunkOf(position) === chunk) addSlot(words, slotOf(position));
        return words;
      }
      case "any of":
        for (const each of who.of) addAll(words, this.#wordsOf(each, chunk, of));
        return words;
      case "all of": {
        const [first, ...others] = who.of.map((each) => this.#wordsOf(each, chunk, of));
        addAll(words, first);
        for (const other of others) keepOnly(words, other);
        return words;
      }
      case "everybody but": {
        addAll(words, this.#wordsOf({ kind: "everybody" }, chunk, of));
        return removeAll(words, this.#wordsOf(who.of, chunk, of));
      }
    }
  }
}

/** Contents of an organization: those in `keys` or, with `allBut`, all others. */
interface Scope {
  readonly allBut: boolean;
  readonly keys: ReadonlySet<ContentKey>;
}

export function isIn({ allBut, keys }: Scope, key: ContentKey): boolean {
  return keys.has(key) !== allBut;
}

/** A content or site that does not exist is no content. */
async function scopeOf(reading: Reading, what: What): Promise<Scope> {
  switch (what.kind) {
    case "everything":
      return { allBut: true, keys: new Set() };
    case "sites":
      return { allBut: false, keys: new Set(await spacesOfSites(reading)) };
    case "site":
      return { allBut: false, keys: new Set(await spacesOfSite(reading, what.id)) };
    case "space":
    case "collection":
      return { allBut: false, keys: new Set(await existing(reading, what.kind, what.id)) };
    case "below": {
      const [top] = await existing(reading, "collection", what.id);
      return { allBut: false, keys: new Set(top === undefined ? [] : await contentsBelow(reading, top)) };
    }
    case "everything but": {
      const { allBut, keys } = await scopeOf(reading, what.of);
      return { allBut: !allBut, keys };
    }
    case "any of": {
      let all: Scope = { allBut: false, keys: new Set() };
      for (const each of what.of) all = union(all, await scopeOf(reading, each));
      return all;
    }
  }
}

function union(a: Scope, b: Scope): Scope {
  if (!a.allBut && !b.allBut) return { allBut: false, keys: new Set([...a.keys, ...b.keys]) };
  if (a.allBut && b.allBut)
    return { allBut: true, keys: new Set([...a.keys].filter((key) => b.keys.has(key))) };
  const [all, some] = a.allBut ? [a, b] : [b, a];
  return { allBut: true, keys: new Set([...all.keys].filter((key) => !some.keys.has(key))) };
}

async function existing(reading: Reading, kind: "space" | "collection", id: string): Promise<ContentKey[]> {
  const key = contentKey(kind, id);
  return (await contents(reading, [key])).has(key) ? [key] : [];
}

/** The contents of all scopes, sorted by key; `undefined` if that is every content of the organization. */
export function inAnyOf(scopes: readonly Scope[]): ContentKey[] | undefined {
  if (scopes.some(({ allBut }) => allBut)) return undefined;
  return [...new Set(scopes.flatMap(({ keys }) => [...keys]))].sort(compareIds);
}

/**
 * An exception that has not ended. `index` is its index in the rule; `audience` is the index of its members in the
 * audiences, absent for everybody.
 */
export interface CountingException {
  readonly index: number;
  readonly exception: Exception;
  readonly audience: number | undefined;
}

/** A rule. `audience` is the index of its members in the audiences. */
export interface AskedRule {
  readonly rule: AccessRule;
  readonly audience: number;
}
