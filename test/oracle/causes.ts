/** A second implementation of the causes of a difference, from docs/past.md: which records, in which order, in words. */
import { levelOf, recordOf } from "./effective.ts";
import type { Content, Facts } from "./facts.ts";
import { byBytes } from "./order.ts";
import { ROLES, type Role } from "./records.ts";

/** The facts at one revision. */
export interface Moment {
  readonly revision: number;
  readonly facts: Facts;
}

export interface Cause {
  readonly revision: number;
  readonly text: string;
}

/** The names in use at the revision to which the difference leads, or else at the other one. */
type Names = readonly [first: Facts, second: Facts];

/** The kinds of records that say something about access, in the order of causes. */
const KINDS = ["member", "teamMember", "collection", "space", "permission"] as const;

/** What one record says about access, in the order of causes. */
interface Said {
  readonly kind: (typeof KINDS)[number];
  readonly content: string;
  readonly team: string;
  readonly user: string;
  /** The role, or the parent and the default level. */
  readonly value: readonly string[];
}

/** A record that says something else, or is missing, at one of two revisions. */
export interface Changed extends Omit<Said, "value"> {
  readonly key: string;
  readonly was: readonly string[] | undefined;
  readonly is: readonly string[] | undefined;
  readonly first: number;
  readonly last: number;
}

const keyOf = ({ kind, content, team, user }: Omit<Said, "value">) =>
  JSON.stringify([kind, content, team, user]);
const nameOf = ({ kind, id }: Content) => `${kind}/${id}`;
const none = { content: "", team: "", user: "" };

function saidIn(facts: Facts): Map<string, Said> {
  const found: Said[] = [];
  for (const [user, role] of facts.members)
    found.push({ ...none, kind: "member", user, value: [role ?? "guest"] });
  for (const { team, user } of facts.teamMembers)
    found.push({ ...none, kind: "teamMember", team, user, value: [] });
  for (const kind of ["collection", "space"] as const) {
    for (const [id, record] of kind === "space" ? facts.spaces : facts.collections) {
      const content = nameOf({ kind, id });
      found.push({ ...none, kind, content, value: [record.parent ?? "", levelOf(record) ?? "closed"] });
      for (const { user = "", team = "", permission } of facts.permissionsOn({ kind, id })) {
        found.push({ kind: "permission", content, team, user, value: [permission] });
      }
    }
  }
  return new Map(found.map((said) => [keyOf(said), said]));
}

/** What changed between the first and the last of some moments, which are all of that time, in order. */
export class Changes {
  readonly #changed = new Map<string, Changed>();
  readonly #from: Facts;
  readonly #to: Facts;

  constructor(moments: readonly Moment[]) {
    const [start, end] = [moments[0], moments.at(-1)];
    if (start === undefined || end === undefined) throw new Error("There is no moment.");
    this.#from = start.facts;
    this.#to = end.facts;
    const told = moments.map(({ facts }) => saidIn(facts));
    for (const [key, said] of told.flatMap((each) => [...each])) {
      const values = told.map((each) => each.get(key)?.value);
      const spelt = values.map((value) => JSON.stringify(value));
      if (spelt[0] === spelt.at(-1)) continue;
      const first = spelt.findLastIndex((value) => value === spelt[0]) + 1;
      const last = spelt.findLastIndex((value, index) => value !== spelt[index - 1]);
      const at = (index: number) => moments[index]?.revision ?? 0;
      this.#changed.set(key, {
        ...said,
        key,
        was: values[0],
        is: values.at(-1),
        first: at(first),
        last: at(last),
      });
    }
  }

  /** Tells some changed records as causes, each once; `isUndone` if the difference is told from the end to the start. */
  tell(records: readonly Changed[], isUndone: boolean): Cause[] {
    const names: Names = isUndone ? [this.#from, this.#to] : [this.#to, this.#from];
    return [...new Set(records)]
      .sort(
        (a, b) =>
          a.last - b.last ||
          KINDS.indexOf(a.kind) - KINDS.indexOf(b.kind) ||
          byBytes(a.content, b.content) ||
          byBytes(a.team, b.team) ||
          byBytes(a.user, b.user),
      )
      .map((record) => ({ revision: record.last, text: sentenceOf(record, names, isUndone) }));
  }

  /** The causes of the difference of a user's role on a content. */
  causesFor(user: string, content: Content): Changed[] {
    const person = this.#changed.get(keyOf({ ...none, kind: "member", user }));
    const thing = this.#changed.get(keyOf({ ...none, kind: content.kind, content: nameOf(content) }));
    const gone = [person, thing].filter((each) => each !== undefined).filter(({ is }) => is === undefined);
    if (gone.length > 0) {
      const soonest = Math.min(...gone.map(({ last }) => last));
      return gone.filter(({ last }) => last === soonest);
    }
    const now = sourceOf(this.#to, user, content);
    const found = new Set(this.#behind(now, user));
    const isNew = (each: Changed | undefined) => each !== undefined && each.was === undefined;
    if (isNew(person) || isNew(thing)) {
      const isExplained = [...found].some((each) => isNew(each) && each.last >= (thing?.first ?? 0));
      if (thing !== undefined && isNew(thing) && !isExplained) found.add(thing);
      return [...found];
    }
    const then = sourceOf(this.#from, user, content);
    const fork = forkOf(then.way, now.way);
    const isSamePlace = then.at?.id === now.at?.id && then.at?.kind === now.at?.kind;
    if (then.level >= fork && now.level >= fork && !isSamePlace) {
      const moved = contentIn(now.way[fork - 1]);
      const record = moved && this.#changed.get(keyOf({ ...none, kind: moved.kind, content: nameOf(moved) }));
      if (record !== undefined) found.add(record);
    } else if (isSamePlace ? isAbove(then, now) : then.level < now.level) {
      for (const record of this.#behind(then, user)) {
        const hasLeft =
          record.kind === "permission" && record.team !== "" && !isIn(this.#to, record.team, user);
        if (record.is === undefined || !hasLeft) found.add(record);
      }
    }
    return [...found];
  }

  /** The changed records behind a source of a user's role. */
  #behind({ rule, at, teams }: Source, user: string): Changed[] {
    const own = keyOf({ ...none, kind: "member", user });
    const content = at === undefined ? "" : nameOf(at);
    if (rule === "admin" || rule === "organization") return this.#all([own]);
    if (rule === "direct") return this.#all([keyOf({ kind: "permission", content, team: "", user })]);
    if (rule === "team") {
      return this.#all(
        teams.flatMap((team) => [
          keyOf({ kind: "permission", content, team, user: "" }),
          keyOf({ kind: "teamMember", content: "", team, user }),
        ]),
      );
    }
    const [level] = this.#all([keyOf({ ...none, kind: at?.kind ?? "space", content })]);
    const [person] = this.#all([own]);
    const hasLevel = level !== undefined && level.was?.[1] !== level.is?.[1];
    const hasPerson = person !== undefined && standing(person.was) !== standing(person.is);
    return [
      ...(hasLevel ? [level] : []),
      ...(hasPerson && !(hasLevel && level.last > person.last) ? [person] : []),
    ];
  }

  #all(keys: readonly string[]): Changed[] {
    return keys.map((key) => this.#changed.get(key)).filter((each) => each !== undefined);
  }
}

function standing(value: readonly string[] | undefined): string {
  if (value === undefined) return "nobody";
  return value[0] === "guest" ? "guest" : "member";
}

function isIn(facts: Facts, team: string, user: string): boolean {
  return facts.teamMembers.some((each) => each.team === team && each.user === user);
}

/** What decides a user's role on a content, and where. */
interface Source {
  readonly rule: "admin" | "direct" | "team" | "level" | "organization";
  /** The number of contents below the deciding one; -1 for an admin. */
  readonly level: number;
  readonly at?: Content;
  readonly role: Role | undefined;
  /** The teams that give this role. */
  readonly teams: readonly string[];
  /** The content and the collections from which it inherits, nearest first. */
  readonly way: readonly string[];
}

function sourceOf(facts: Facts, user: string, content: Content): Source {
  const way = wayFrom(facts, content);
  const own = facts.members.get(user) ?? undefined;
  const given = { way: way.map(nameOf), teams: [] };
  if (own === "admin") return { ...given, rule: "admin", level: -1, role: own };
  for (const [level, at] of way.entries()) {
    const all = facts.permissionsOn(at);
    const direct = all.find((each) => each.user === user);
    if (direct !== undefined) return { ...given, rule: "direct", level, at, role: direct.permission };
    const theirs = all.flatMap(({ team, permission }) =>
      team !== undefined && isIn(facts, team, user) ? [{ team, permission }] : [],
    );
    const role = ROLES.findLast((each) => theirs.some(({ permission }) => permission === each));
    if (role !== undefined) {
      const teams = theirs.filter(({ permission }) => permission === role).map(({ team }) => team);
      return { ...given, rule: "team", level, at, role, teams };
    }
    const record = recordOf(facts, at);
    const said = record === undefined ? "inherit" : levelOf(record);
    if (said !== "inherit") return { ...given, rule: "level", level, at, role: own && (said ?? undefined) };
  }
  return { ...given, rule: "organization", level: way.length, role: own };
}

function wayFrom(facts: Facts, content: Content): Content[] {
  const way: Content[] = [];
  for (let at: Content | undefined = content; at !== undefined;) {
    way.push(at);
    const record = recordOf(facts, at);
    const parent = record === undefined || levelOf(record) !== "inherit" ? undefined : record.parent;
    at = parent === undefined ? undefined : { kind: "collection", id: parent };
  }
  return way;
}

/** The number of contents that two ways share from below, if they part by going to different parents; else infinite. */
function forkOf(one: readonly string[], other: readonly string[]): number {
  const shared = one.findIndex((name, index) => name !== other[index]);
  const fork = shared === -1 ? one.length : shared;
  return fork === one.length && fork === other.length ? Number.POSITIVE_INFINITY : fork;
}

const RULES = ["admin", "direct", "team", "level", "organization"];

/** Whether a source on a content would decide before another one there. */
function isAbove(then: Source, now: Source): boolean {
  if (then.rule !== now.rule) return RULES.indexOf(then.rule) < RULES.indexOf(now.rule);
  return then.rule === "team" && ROLES.indexOf(then.role ?? "read") > ROLES.indexOf(now.role ?? "read");
}

function contentIn(name: string | undefined): Content | undefined {
  if (name === undefined) return undefined;
  const kind = name.startsWith("space/") ? "space" : "collection";
  return { kind, id: name.slice(kind.length + 1) };
}

function sentenceOf(record: Changed, names: Names, isUndone: boolean): string {
  const { first, last } = record;
  const when = first === last ? `revision ${last}` : `revisions ${first} to ${last}`;
  const text = textOf(record, names);
  if (!isUndone) return `${text} in ${when}`;
  return `${when}, in which ${text}, ${first === last ? "is" : "are"} undone`;
}

function textOf({ kind, content, team, user, was, is }: Changed, names: Names): string {
  const people = names.find(({ members }) => members.has(user))?.users;
  const person = people?.get(user)?.displayName ?? user;
  const group = `team ${names.find(({ teams }) => teams.has(team))?.teams.get(team)?.title ?? team}`;
  const thing = contentIn(content);
  const where = thing === undefined ? "" : titled(thing, names);
  const whom = team === "" ? person : group;
  const [[from = ""], [to = ""]] = [was ?? [], is ?? []];
  switch (kind) {
    case "member":
      if (was === undefined) return `${person} came ${to === "guest" ? "as a guest" : `with role ${to}`}`;
      if (is === undefined) return `${person} left the organization`;
      return `${person}’s organization role went from ${from} to ${to}`;
    case "teamMember":
      return `${person} ${was === undefined ? "joined" : "left"} ${group}`;
    case "permission":
      if (was === undefined) return `${whom} was given ${to} on ${where}`;
      if (is === undefined) return `${whom}’s ${from} on ${where} was taken away`;
      return `${whom}’s permission on ${where} went from ${from} to ${to}`;
    case "collection":
    case "space": {
      if (was === undefined) return `${where} was added`;
      if (is === undefined) return `${where} was removed`;
      const place = (id: string) => (id === "" ? "the top" : titled({ kind: "collection", id }, names));
      const level = `default level went from ${was[1]} to ${is[1]}`;
      if (from === to) return `${where}’s ${level}`;
      const moved = `${where} was moved from ${place(from)} to ${place(to)}`;
      return was[1] === is[1] ? moved : `${moved} and its ${level}`;
    }
  }
}

function titled(content: Content, names: Names): string {
  const titles = names.map((facts) => recordOf(facts, content)?.title);
  return `${content.kind} ${titles.find((title) => title !== undefined) ?? content.id}`;
}
