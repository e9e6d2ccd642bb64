/** A second, naive implementation of rules, which checks every user on every content. */
import { effectiveOf } from "../effective.ts";
import type { Content, Facts } from "../facts.ts";
import { byBytes } from "../order.ts";
import { ROLES } from "../records.ts";

/** The parts of a rule, written as in a rules file. */
export type Who =
  | "everybody"
  | "guests"
  | Who[]
  | { team: string | string[] }
  | { user: string | string[] }
  | { role: string | string[] }
  | { "everybody but": Who }
  | { "all of": Who[] };

export type What =
  | "everything"
  | "sites"
  | What[]
  | { space: string | string[] }
  | { collection: string | string[] }
  | { below: string | string[] }
  | { site: string | string[] }
  | { "everything but": What };

export interface Exception {
  who?: Who;
  what?: What;
  until: string;
  reason: string;
}

export interface Rule {
  rule: string;
  who?: Who;
  what: What | "organization";
  how: "none" | "only" | "all" | { "at least": number } | { "at most": number };
  role?: string;
  from?: string;
  to?: string;
  permissions?: "direct";
  except?: Exception[];
}

/** The result of a rule. Users and contents `kind/id` are in byte order; `""` is the organization. */
export interface Verdict {
  rule: string;
  contents: number;
  /** The breaches, by user and content; of a rule about numbers, only by content. */
  breaches: { content: string; user?: string; count?: number; role?: string }[];
  exceptions: { state: string; excused: number }[];
}

/**
 * The result of a rule. One that names what never was there is misspelt: `earlier` has the states that are still kept.
 * One that asks that somebody has a role cannot be checked if it names what is not there.
 */
export function verdictOf(
  facts: Facts,
  rule: Rule,
  day: string,
  earlier: readonly Facts[] = [],
): Verdict | "misspelt" | "cannot be checked" {
  const absent = namesIn(rule).filter((name) => !isThere(facts, name));
  if (!absent.every((name) => earlier.some((each) => isThere(each, name)))) return "misspelt";
  const asks = rule.how === "all" || (typeof rule.how === "object" && "at least" in rule.how);
  return asks && absent.length > 0 ? "cannot be checked" : judge(facts, rule, day);
}

/** The records that a rule or an exception names, such as `["team", "docs"]`. */
function namesIn({ who, what }: { who?: Who; what?: What | "organization" }): [kind: string, id: string][] {
  const found: [string, string][] = [];
  const visit = (part: unknown): void => {
    if (Array.isArray(part)) part.forEach(visit);
    else if (typeof part === "object" && part !== null) {
      for (const [kind, inner] of Object.entries(part)) {
        if (kind === "everybody but" || kind === "everything but" || kind === "all of") visit(inner);
        else if (kind !== "role") for (const id of list(inner)) found.push([kind, id]);
      }
    }
  };
  visit(who);
  visit(what);
  return found;
}

function isThere(facts: Facts, [kind, id]: [kind: string, id: string]): boolean {
  switch (kind) {
    case "team":
      return facts.teams.has(id);
    case "user":
      return facts.members.has(id);
    case "space":
      return facts.spaces.has(id);
    case "site":
      return facts.sites.has(id);
    default:
      return facts.collections.has(id);
  }
}

function judge(facts: Facts, rule: Rule, day: string): Verdict {
  const who = rule.who ?? "everybody";
  const places = rule.what === "organization" ? [""] : contentsOf(facts, rule.what, rule.permissions);
  const users = [...facts.members.keys()].sort(byBytes);
  const exceptions = (rule.except ?? []).map((exception) => ({
    exception,
    state: stateOf(facts, exception, day),
    excused: 0,
  }));
  const breaches: Verdict["breaches"] = [];
  const isSite = (place: string) => Number(place.startsWith("site/"));
  for (const content of [...places].sort((a, b) => isSite(a) - isSite(b) || byBytes(a, b))) {
    const here = exceptions.filter(
      ({ exception: { what }, state }) =>
        state === "counts" &&
        (what === undefined || contentsOf(facts, what, rule.permissions).includes(content)),
    );
    const counted = users.flatMap((user) => {
      const role = roleIn(facts, rule, content, user);
      const holds = inRange(rule, role);
      const meant = isMember(facts, who, user);
      const isCounted =
        rule.how === "only" ? holds && !meant : rule.how === "all" ? meant && !holds : holds && meant;
      return isCounted ? [{ user, role }] : [];
    });
    if (typeof rule.how === "object" && "at least" in rule.how) {
      if (counted.length >= rule.how["at least"]) continue;
      const [exception] = here;
      if (exception === undefined) breaches.push({ content, count: counted.length });
      else exception.excused += 1;
      continue;
    }
    const left = counted.filter(({ user }) => {
      const exception = here.find(
        ({ exception: { who: excepted } }) => excepted === undefined || isMember(facts, excepted, user),
      );
      if (exception !== undefined) exception.excused += 1;
      return exception === undefined;
    });
    if (typeof rule.how === "object") {
      if (left.length > rule.how["at most"]) breaches.push({ content, count: left.length });
      continue;
    }
    breaches.push(...left.map(({ user, role }) => ({ content, user, role })));
  }
  return {
    rule: rule.rule,
    contents: places.length,
    breaches,
    exceptions: exceptions.map(({ state, excused }) => ({ state, excused })),
  };
}

function stateOf(facts: Facts, { who, what, until }: Exception, day: string): string {
  if (new Date(until) < new Date(day)) return "ended";
  const names = namesIn({ ...(who && { who }), ...(what && { what }) });
  return names.every((name) => isThere(facts, name)) ? "counts" : "names what is not there";
}

function list<Item>(item: Item | Item[]): Item[] {
  return Array.isArray(item) ? item : [item];
}

function isMember(facts: Facts, who: Who, user: string): boolean {
  const role = facts.members.get(user);
  const there = facts.members.has(user);
  if (who === "everybody") return there;
  if (who === "guests") return there && role === null;
  if (Array.isArray(who)) return who.map((each) => isMember(facts, each, user)).includes(true);
  if ("team" in who) {
    const teams = list(who.team);
    return facts.teamMembers.some(
      (membership) => membership.user === user && teams.includes(membership.team),
    );
  }
  if ("user" in who) return there && list(who.user).includes(user);
  if ("role" in who) return there && role !== null && list(who.role).includes(role ?? "");
  if ("all of" in who) return !who["all of"].map((each) => isMember(facts, each, user)).includes(false);
  const inner = isMember(facts, who["everybody but"], user);
  return there && !inner;
}

function nameOf({ kind, id }: Content): string {
  return `${kind}/${id}`;
}

/** With `direct`, also the sites that say something. */
function contentsOf(facts: Facts, what: What, permissions: Rule["permissions"]): string[] {
  const says = (id: string) => {
    const level = facts.siteRecords.get(id)?.defaultLevel;
    return facts.permissionsOnSite(id).length > 0 || (level !== undefined && level !== "inherit");
  };
  const speaking = permissions === "direct" ? [...facts.sites.keys()].filter(says) : [];
  const spaces = [...facts.spaces.keys()].map((id) => nameOf({ kind: "space", id }));
  const collections = [...facts.collections.keys()].map((id) => nameOf({ kind: "collection", id }));
  const all = [...spaces, ...collections, ...speaking.map((id) => `site/${id}`)];
  if (what === "everything") return all;
  if (what === "sites") return contentsOf(facts, { site: [...facts.sites.keys()] }, permissions);
  if (Array.isArray(what)) {
    const found = what.map((each) => contentsOf(facts, each, permissions)).flat();
    return all.filter((content) => found.includes(content));
  }
  if ("space" in what) {
    const ids = list(what.space);
    return spaces.filter((name) => ids.some((id) => name === `space/${id}`));
  }
  if ("collection" in what) {
    const ids = list(what.collection);
    return collections.filter((name) => ids.some((id) => name === `collection/${id}`));
  }
  if ("site" in what) {
    const inside = list(what.site).flatMap((id) => facts.sites.get(id) ?? []);
    const themselves = list(what.site).filter((id) => speaking.includes(id));
    return [
      ...[...new Set(inside)].map((id) => `space/${id}`),
      ...[...new Set(themselves)].map((id) => `site/${id}`),
    ];
  }
  if ("below" in what) {
    const tops = list(what.below).map((id) => `collection/${id}`);
    return all.filter((content) => {
      for (let at: string | undefined = content; at !== undefined; at = parentOf(facts, at)) {
        if (tops.includes(at)) return true;
      }
      return false;
    });
  }
  const inner = contentsOf(facts, what["everything but"], permissions);
  return all.filter((content) => !inner.includes(content));
}

function contentOf(name: string): Content {
  const [kind = "", id = ""] = name.split("/");
  return kind === "space" ? { kind: "space", id } : { kind: "collection", id };
}

function parentOf(facts: Facts, name: string): string | undefined {
  const { kind, id } = contentOf(name);
  const parent = (kind === "space" ? facts.spaces.get(id) : facts.collections.get(id))?.parent;
  return parent === undefined ? undefined : `collection/${parent}`;
}

function roleIn(facts: Facts, rule: Rule, content: string, user: string): string {
  if (content === "") return facts.members.get(user) ?? "guest";
  if (rule.permissions === "direct") {
    const [, site] = content.split("site/");
    if (site !== undefined) {
      const onSite = facts.permissionsOnSite(site).find((permission) => permission.user === user);
      return onSite?.permission ?? "none";
    }
    const given = facts.permissionsOn(contentOf(content)).find((permission) => permission.user === user);
    return given?.permission ?? "none";
  }
  return effectiveOf(facts, user, contentOf(content))?.role ?? "none";
}

function inRange({ role, from, to }: Rule, has: string): boolean {
  const order: string[] = ["none", "guest", ...ROLES];
  const place = (name: string | undefined, otherwise: number) =>
    name === undefined ? otherwise : order.indexOf(name);
  const at = order.indexOf(has);
  return place(role ?? from, 1) <= at && at <= place(role ?? to, order.length - 1);
}
