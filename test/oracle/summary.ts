/** A second implementation of the summary of `rolebook diff`, from docs/past.md: whose line says what, and what a row counts. */
import { atLeast, effectiveOf } from "./effective.ts";
import type { Content, Facts } from "./facts.ts";
import { byBytes } from "./order.ts";
import { ROLES, type Role } from "./records.ts";

/** A member's organization role, `null` for a guest, and on how many contents they have each role. */
export interface OwnRoles {
  readonly role: Role | null;
  readonly on: Partial<Record<Role, number>>;
}

export interface PersonLine {
  readonly user: string;
  readonly contents: number;
  /** Absent before the person came, and after the person left. */
  readonly before: OwnRoles | undefined;
  readonly after: OwnRoles | undefined;
}

export interface ContentLine {
  readonly content: string;
  readonly lost: number;
  readonly lowered: number;
  readonly raised: number;
  readonly gained: number;
}

interface Pair {
  readonly content: string;
  readonly user: string;
  readonly was: Role | undefined;
  readonly is: Role | undefined;
  readonly on: Content;
}

/** The lines of a summary. With `least`, of differences in which a side reaches this role. */
export function summaryOf(
  before: Facts,
  after: Facts,
  least?: Role,
): { readonly people: PersonLine[]; readonly contents: ContentLine[] } {
  const reaches = (role: Role | undefined) =>
    role !== undefined && (least === undefined || atLeast(role, least));
  const pairs = pairsOf(before, after).filter(({ was, is }) => was !== is && (reaches(was) || reaches(is)));
  const users = [...new Set([...before.members.keys(), ...after.members.keys()])].sort(byBytes);
  const apart = users.filter((user) => before.members.get(user) !== after.members.get(user));
  const people = apart.flatMap((user): PersonLine[] => {
    const own = pairs.filter((pair) => pair.user === user);
    if (own.length === 0 && least !== undefined) return [];
    const side = (facts: Facts, role: (pair: Pair) => Role | undefined): OwnRoles | undefined => {
      const member = facts.members.get(user);
      return member === undefined ? undefined : { role: member, on: countsOf(own.map(role)) };
    };
    return [
      {
        user,
        contents: own.length,
        before: side(before, ({ was }) => was),
        after: side(after, ({ is }) => is),
      },
    ];
  });
  const counted = pairs.filter(({ user, on }) => countsOn(before, after, user, on));
  const byContent = Map.groupBy(counted, ({ content }) => content);
  const contents = [...byContent].map(([content, own]): ContentLine => {
    const count = (wanted: (pair: Pair) => boolean) => own.filter(wanted).length;
    return {
      content,
      lost: count(({ is }) => is === undefined),
      lowered: count(({ was, is }) => was !== undefined && is !== undefined && !atLeast(is, was)),
      raised: count(({ was, is }) => was !== undefined && is !== undefined && atLeast(is, was)),
      gained: count(({ was }) => was === undefined),
    };
  });
  return { people, contents: contents.sort((a, b) => byBytes(a.content, b.content)) };
}

/**
 * Whether the row of a content counts a user whose role differs there: anybody without a line of their own, and newcomers
 * with another role than they would have without permissions.
 */
export function countsOn(before: Facts, after: Facts, user: string, content: Content): boolean {
  if (before.members.get(user) === after.members.get(user)) return true;
  const bare: Facts = { ...after, permissionsOn: () => [], permissionsOnSite: () => [] };
  const [is, usual] = [after, bare].map((facts) => effectiveOf(facts, user, content)?.role);
  return !before.members.has(user) && is !== usual;
}

/** What the line of a person says of one revision, such as "read; admin on 3, edit on 2 of 78". */
export function lineOf(roles: OwnRoles | undefined, contents: number): string {
  if (roles === undefined) return "";
  const { role, on } = roles;
  const parts: string[] = [];
  let left = contents;
  for (const each of ROLES.toReversed()) {
    const count = on[each] ?? 0;
    left -= count;
    if (each !== role && count > 0) parts.push(`${each} on ${count}`);
  }
  if (role !== null && left > 0) parts.push(`none on ${left}`);
  if (parts.length > 0) return `${role ?? "guest"}; ${parts.join(", ")} of ${contents}`;
  return role === null || contents === 0 ? (role ?? "guest") : `${role} on ${contents}`;
}

function countsOf(roles: readonly (Role | undefined)[]): Partial<Record<Role, number>> {
  const found = ROLES.flatMap((role) => {
    const count = roles.filter((each) => each === role).length;
    return count === 0 ? [] : [[role, count] as const];
  });
  return Object.fromEntries(found);
}

function pairsOf(before: Facts, after: Facts): Pair[] {
  const names = new Map<string, Content>();
  for (const { spaces, collections } of [before, after]) {
    for (const id of spaces.keys()) names.set(`space/${id}`, { kind: "space", id });
    for (const id of collections.keys()) names.set(`collection/${id}`, { kind: "collection", id });
  }
  const users = new Set([...before.members.keys(), ...after.members.keys()]);
  return [...names].flatMap(([content, each]) =>
    [...users].map((user) => ({
      content,
      user,
      was: effectiveOf(before, user, each)?.role,
      is: effectiveOf(after, user, each)?.role,
      on: each,
    })),
  );
}
