/**
 * Finds the members and contents that rules name. A rule that names something unknown is an error, so that it does not
 * pass as a rule without breaches.
 */
import { type ContentKey, contentKey } from "../domain/content.ts";
import { CommandError } from "../domain/error.ts";
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
import { absent, contentsBelow } from "../store/report.ts";
import { holds } from "../store/schema/as-of.ts";
import { MEMBERS, memberSets } from "../store/schema/set-names.ts";
import type { Exception, AccessRule, What, Who } from "./rule.ts";

/** Whether an exception applies, has ended, or names something unknown; then it excuses nobody. */
type ExceptionState = "counts" | "ended" | "names what is not there";

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

interface UnresolvedRule {
  readonly rule: AccessRule;
  readonly problem: string;
}

export interface ResolvedRules {
  readonly resolved: readonly ResolvedRule[];
  readonly unresolved: readonly UnresolvedRule[];
  readonly audiences: AudienceSets;
}

/** `day`, such as `2026-12-31`, decides which exceptions have ended. */
export async function resolveRules(
  reading: Reading,
  rules: readonly AccessRule[],
  day: string,
): Promise<ResolvedRules> {
  const audiences = new AudienceSets();
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
  { exceptions }: AccessRule,
  audiences: AudienceSets,
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

const TEAM = statement<[id: string]>(() => `SELECT t.id FROM team t WHERE ${holds("t")} AND t.id = $3`);

/** The members whom rules and exceptions name, as sets of slots that are read chunk by chunk. */
class AudienceSets {
  readonly #all: Who[] = [];
  /** Indexes by text, so that rules and exceptions about the same members share one. */
  readonly #indexes = new Map<string, number>();
  readonly #names = new Set<string>([null, ...ROLES].map((role) => memberSets.withRole(role)));
  readonly #positions = new Map<string, number>();
  readonly #chunks = new Map<number, readonly (Words | undefined)[]>();
  #sets: ChunkedSets | undefined;

  /**
   * Adds some members. Returns their index in the result of {@link slotsIn}. Throws a CommandError if a team or member
   * does not exist.
   */
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
      case "team": {
        const [team] = await reading.read(TEAM, ...reading.asOf, who.id);
        if (team === undefined) throw absent(reading, "team", who.id);
        this.#names.add(memberSets.ofTeam(who.id));
        return;
      }
      case "user": {
        const member = await memberOf(reading, who.id);
        if (member === undefined) throw absent(reading, "member", who.id);
        this.#positions.set(who.id, member.position);
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

/** Throws a CommandError if a named content or site does not exist. */
async function scopeOf(reading: Reading, what: What): Promise<Scope> {
  switch (what.kind) {
    case "everything":
      return { allBut: true, keys: new Set() };
    case "sites":
      return { allBut: false, keys: new Set(await spacesOfSites(reading)) };
    case "site": {
      const spaces = await spacesOfSite(reading, what.id);
      if (spaces === undefined) throw absent(reading, "site", what.id);
      return { allBut: false, keys: new Set(spaces) };
    }
    case "space":
    case "collection":
      return { allBut: false, keys: new Set([await existing(reading, what.kind, what.id)]) };
    case "below":
      return {
        allBut: false,
        keys: new Set(await contentsBelow(reading, await existing(reading, "collection", what.id))),
      };
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

async function existing(reading: Reading, kind: "space" | "collection", id: string): Promise<ContentKey> {
  const key = contentKey(kind, id);
  if ((await contents(reading, [key])).has(key)) return key;
  throw absent(reading, kind, id);
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
