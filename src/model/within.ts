/** Who has a role on a content within the scope of a report, and which contents the scope names. */
import { type ContentKind, contentKey } from "../domain/content.ts";
import type { Decision } from "../domain/ladder.ts";
import { rank } from "../domain/role.ts";
import type { ReportScope } from "../domain/scope.ts";
import { listIn, PERMISSION } from "./lists.ts";
import { ADMIN, findContent, findSite, findTeam, type Model, NOTHING } from "./model.ts";
import { DIRECT, ROLE, THROUGH } from "./code.ts";
import { accessOn, guests, paint, WIDEST } from "./paint.ts";
import { membersOf } from "./sheets.ts";
import { sitesIn } from "./sites.ts";
import { spacesOfSite } from "./spaces.ts";

/** The contents of a space, of a collection and all that is in it, or of a site; `undefined` if there is none. */
export function contentsOf(model: Model, kind: ContentKind | "site", id: string): Uint32Array | undefined {
  if (kind === "site") {
    const site = findSite(model, id);
    return site === undefined ? undefined : spacesOfSite(model, site);
  }
  const first = findContent(model, contentKey(kind, id));
  if (first === undefined) return undefined;
  return Uint32Array.from({ length: (model.contents.ends[first] ?? first) - first }, (_, at) => first + at);
}

/** Who has which role, as far as a scope selects by that: not the users that it names, and no days. */
export type WhoScope = Pick<ReportScope, "role" | "guests" | "withoutAdmins" | "least" | "direct" | "team">;

/** Beyond this part of all members, painting everybody takes less time than deciding for each one on a list. */
const FEW = 1 / 2000;
/** So few are always decided one by one. */
const VERY_FEW = 8;

/**
 * The members, ascending, who may have a role on a content within a scope, in parts: all of them, and few others
 * ({@link isWithin} says which). Between two parts, others may have a turn.
 */
export function* membersWithin(model: Model, content: number, scope: WhoScope): Generator<Iterable<number>> {
  const listed = listedWithin(model, content, scope);
  if (listed !== undefined) {
    yield listed;
    return;
  }
  const { count, roles } = model.members;
  const access = accessOn(model, content);
  const through = scope.team === undefined ? undefined : findTeam(model, scope.team);
  const accepts = acceptedCodes(scope);
  const sheet = new Uint8Array(Math.min(count, WIDEST));
  for (let from = 0; from < count; from += WIDEST) {
    const to = Math.min(count, from + WIDEST);
    paint(model, access, from, to, sheet, through);
    let part: number[] = [];
    for (let member = from; member < to; member++) {
      if (accepts[sheet[member - from] ?? 0] !== 1) continue;
      if (scope.guests === true && roles[member] !== NOTHING) continue;
      if (scope.withoutAdmins === true && roles[member] === ADMIN) continue;
      if (part.push(member) < PART) continue;
      yield part;
      part = [];
    }
    yield part;
  }
}

/** How many members a part has at most. */
const PART = 1000;

/** Whether each painted byte is within a scope. */
function acceptedCodes({ role, least, direct, team }: WhoScope): Uint8Array {
  return Uint8Array.from({ length: 256 }, (_, code) => {
    const held = code & ROLE;
    const isHeld = held !== NOTHING && (role === undefined || held === rank(role));
    const isStrong = least === undefined || held >= rank(least);
    const isGiven =
      (direct !== true || (code & DIRECT) !== 0) && (team === undefined || (code & THROUGH) !== 0);
    return Number(isHeld && isStrong && isGiven);
  });
}

/** Those on the shortest list that has everybody within a scope; `undefined` if there is none, or it is long. */
function listedWithin(model: Model, content: number, scope: WhoScope): Uint32Array | undefined {
  const most = Math.max(VERY_FEW, model.members.count * FEW);
  const lists: Uint32Array[] = [];
  if (scope.guests === true) lists.push(guests(model));
  const { levels, asked = -1 } = accessOn(model, content);
  const given = [
    ...levels.map((x) => [model.contents, x] as const),
    ...Array.from(sitesIn(model, asked), (site) => [model.sites, site] as const),
  ];
  if (scope.direct === true) {
    const users = given.map(([{ users: of }, x]) => listIn(of, x));
    if (users.reduce((sum, { length }) => sum + length, 0) <= most) lists.push(usersIn(users));
  }
  if (scope.team !== undefined) {
    const team = findTeam(model, scope.team);
    const isGiven = given.some(([{ teams }, x]) =>
      listIn(teams, x).some((entry) => entry >>> PERMISSION === team),
    );
    lists.push(team !== undefined && isGiven ? membersOf(model, team) : new Uint32Array(0));
  }
  const [shortest] = lists.sort((a, b) => a.length - b.length);
  return shortest !== undefined && shortest.length <= most ? shortest : undefined;
}

/** The users in some lists of direct permissions, ascending. */
function usersIn(lists: readonly Uint32Array[]): Uint32Array {
  const found = new Set<number>();
  for (const list of lists) for (const entry of list) found.add(entry >>> PERMISSION);
  return Uint32Array.from(found).sort();
}

/** Whether a member's role on a content is within a scope. */
export function isWithin(
  { members }: Model,
  member: number,
  { role, rule, team }: Decision,
  scope: WhoScope,
): boolean {
  if (scope.guests === true && members.roles[member] !== NOTHING) return false;
  if (scope.withoutAdmins === true && members.roles[member] === ADMIN) return false;
  if (scope.role !== undefined && role !== scope.role) return false;
  if (scope.least !== undefined && rank(role) < rank(scope.least)) return false;
  return (scope.direct !== true || rule === "direct") && (scope.team === undefined || team === scope.team);
}
