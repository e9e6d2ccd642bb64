/** A second implementation of the causes of a difference, from docs/past.md: which records, in which order, in words. */
import { ancestry, type Decision, decisionOf, levelOf, rankOf, recordOf, saidBySites } from "./effective.ts";
import type { Content, Facts } from "./facts.ts";
import { byBytes } from "./order.ts";
import type { DefaultLevel, Role } from "./records.ts";

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
const KINDS = ["member", "teamMember", "collection", "space", "site", "siteSpace", "permission"] as const;

/** What one record says about access, in the order of causes. */
interface Said {
  readonly kind: (typeof KINDS)[number];
  /** The content; of a site's level and permissions, the site. */
  readonly content: string;
  /** The site of a link. */
  readonly site: string;
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

const keyOf = ({ kind, content, site, team, user }: Omit<Said, "value">) =>
  JSON.stringify([kind, content, site, team, user]);
const nameOf = ({ kind, id }: Content) => `${kind}/${id}`;
const none = { content: "", site: "", team: "", user: "" };
const NO_LEVEL = ["", "inherit"];
const wordOf = (role: Role | null) => role ?? "no access";
const levelWord = (level: DefaultLevel) => level ?? "closed";

function saidIn(facts: Facts): Map<string, Said> {
  const found: Said[] = [];
  for (const [user, role] of facts.members)
    found.push({ ...none, kind: "member", user, value: [role ?? "guest"] });
  for (const { team, user } of facts.teamMembers)
    found.push({ ...none, kind: "teamMember", team, user, value: [] });
  for (const kind of ["collection", "space"] as const) {
    for (const [id, record] of kind === "space" ? facts.spaces : facts.collections) {
      const content = nameOf({ kind, id });
      found.push({ ...none, kind, content, value: [record.parent ?? "", levelWord(levelOf(record))] });
      for (const { user = "", team = "", permission } of facts.permissionsOn({ kind, id })) {
        found.push({ ...none, kind: "permission", content, team, user, value: [permission] });
      }
    }
  }
  for (const [id, record] of facts.siteRecords) {
    const content = `site/${id}`;
    const level = levelOf(record);
    // A site without a level says as much as no site.
    if (level !== "inherit") found.push({ ...none, kind: "site", content, value: ["", levelWord(level)] });
    for (const space of facts.sites.get(id) ?? [])
      found.push({ ...none, kind: "siteSpace", content: `space/${space}`, site: id, value: [] });
    for (const { user = "", team = "", permission } of facts.permissionsOnSite(id))
      found.push({ ...none, kind: "permission", content, team, user, value: [wordOf(permission)] });
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
          byBytes(a.site, b.site) ||
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
    if (then.place >= fork && now.place >= fork && !isSamePlace) {
      const moved = contentIn(now.way[fork - 1]);
      const record = moved && this.#changed.get(keyOf({ ...none, kind: moved.kind, content: nameOf(moved) }));
      if (record !== undefined) found.add(record);
    } else if (then.site !== undefined && now.site !== undefined) {
      const [had, has] = [rankOf(then.role), rankOf(now.role)];
      const { site } = has < had ? then : now;
      const [said, says] = [this.#from, this.#to].map((facts) => saidOf(facts, user, content, site));
      for (const record of says === undefined ? [] : this.#behind({ ...now, ...says }, user))
        found.add(record);
      if (said !== undefined && (says === undefined || isAbove(said, says)))
        this.#addLost(found, { ...then, ...said }, user);
    } else if (isSamePlace && then.place === now.place ? isAbove(then, now) : then.place < now.place) {
      this.#addLost(found, then, user);
    }
    return [...found];
  }

  /** Adds the changed records behind a source that does not decide any more. */
  #addLost(found: Set<Changed>, source: Source, user: string): void {
    for (const record of this.#behind(source, user)) {
      const hasLeft =
        record.kind === "permission" && record.team !== "" && !isIn(this.#to, record.team, user);
      if (record.is === undefined || !hasLeft) found.add(record);
    }
  }

  /** The changed records behind a source of a user's role. */
  #behind({ rule, at, site, role, teams }: Source, user: string): Changed[] {
    const own = keyOf({ ...none, kind: "member", user });
    if (rule === "stranger" || rule === "admin" || rule === "organization") return this.#all([own]);
    const space = at === undefined ? "" : nameOf(at);
    const content = site === undefined ? space : `site/${site}`;
    const link =
      site === undefined ? [] : this.#all([keyOf({ ...none, kind: "siteSpace", content: space, site })]);
    const permission = { ...none, kind: "permission", content } as const;
    if (rule === "direct") return [...link, ...this.#all([keyOf({ ...permission, user })])];
    if (rule === "team") {
      const giving = teams.filter((team) => team.role === role);
      return [
        ...link,
        ...this.#all(
          giving.flatMap(({ id: team }) => [
            keyOf({ ...permission, team }),
            keyOf({ ...none, kind: "teamMember", team, user }),
          ]),
        ),
      ];
    }
    const kind = site === undefined ? (at?.kind ?? "space") : "site";
    const [level] = this.#all([keyOf({ ...none, kind, content })]);
    const [person] = this.#all([own]);
    const hasLevel = level !== undefined && level.was?.[1] !== level.is?.[1];
    const hasPerson = person !== undefined && standing(person.was) !== standing(person.is);
    return [
      ...link,
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
interface Source extends Decision {
  /** Counts the contents below the deciding one; sites come after the space that asks them. -1 for an admin. */
  readonly place: number;
  /** The content and the collections from which it inherits, nearest first. */
  readonly way: readonly string[];
}

function sourceOf(facts: Facts, user: string, content: Content): Source {
  const decision = decisionOf(facts, user, content);
  const way = wayFrom(facts, content).map(nameOf);
  return { ...decision, place: decision.below + (decision.site === undefined ? 0 : 0.5), way };
}

/** What one site says to a user, alone; `undefined` if the content does not ask the site, or if it says nothing. */
function saidOf(facts: Facts, user: string, content: Content, site: string | undefined) {
  return saidBySites(facts, user, content).find((said) => said.site === site);
}

function wayFrom(facts: Facts, content: Content): Content[] {
  const all = ancestry(facts, content);
  const last = all.findIndex((at) => {
    const record = recordOf(facts, at);
    return record === undefined || levelOf(record) !== "inherit";
  });
  return last === -1 ? all : all.slice(0, last + 1);
}

/** The number of contents that two ways share from below, if they part by going to different parents; else infinite. */
function forkOf(one: readonly string[], other: readonly string[]): number {
  const shared = one.findIndex((name, index) => name !== other[index]);
  const fork = shared === -1 ? one.length : shared;
  return fork === one.length && fork === other.length ? Number.POSITIVE_INFINITY : fork;
}

const RULES = ["stranger", "admin", "direct", "team", "level", "organization"];

/** Whether a source on a content or a site would decide before another one there. */
function isAbove(then: Pick<Decision, "rule" | "role">, now: Pick<Decision, "rule" | "role">): boolean {
  if (then.rule !== now.rule) return RULES.indexOf(then.rule) < RULES.indexOf(now.rule);
  return then.rule === "team" && rankOf(then.role) > rankOf(now.role);
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

function textOf({ kind, content, site, team, user, was, is }: Changed, names: Names): string {
  const people = names.find(({ members }) => members.has(user))?.users;
  const person = people?.get(user)?.displayName ?? user;
  const group = `team ${names.find(({ teams }) => teams.has(team))?.teams.get(team)?.title ?? team}`;
  const where = placeIn(content, names);
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
    case "site":
      return `${where}’s default level went from ${(was ?? NO_LEVEL)[1]} to ${(is ?? NO_LEVEL)[1]}`;
    case "siteSpace":
      return was === undefined
        ? `${where} was added to ${siteTitled(site, names)}`
        : `${where} was removed from ${siteTitled(site, names)}`;
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

function placeIn(name: string, names: Names): string {
  if (name.startsWith("site/")) return siteTitled(name.slice("site/".length), names);
  const content = contentIn(name);
  return content === undefined ? "" : titled(content, names);
}

function siteTitled(id: string, names: Names): string {
  const titles = names.map(({ siteRecords }) => siteRecords.get(id)?.title);
  return `site ${titles.find((title) => title !== undefined) ?? id}`;
}

function titled(content: Content, names: Names): string {
  const titles = names.map((facts) => recordOf(facts, content)?.title);
  return `${content.kind} ${titles.find((title) => title !== undefined) ?? content.id}`;
}
