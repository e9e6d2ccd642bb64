/**
 * Finds permissions that change nobody's effective role, and direct permissions that give less than a team would.
 *
 * A content inherits the roles on its parent, whichever permissions give them. So a permission that decides nothing on
 * its own content decides nothing below it either, and redundant permissions of several contents can be removed
 * together.
 */
import type { Finding } from "../domain/findings.ts";
import { type Decision, decide } from "../domain/ladder.ts";
import { plain, reasonOf } from "../domain/reason.ts";
import { roleOf } from "../domain/role.ts";
import { everybodyOn, type Place, type Window, withInherited } from "../model/everybody.ts";
import { lengthOf, lowerBound, MEMBERSHIP, PERMISSION } from "../model/lists.ts";
import { ADMIN, keyOf, memberId, type Model, NOTHING } from "../model/model.ts";
import { ROLE } from "../model/code.ts";
import { type Access, accessOn, paintInherited } from "../model/paint.ts";
import { contentRef, personIn, teamRef, titlesIn } from "../model/records.ts";
import { ladderOn, rightsOn } from "../model/why.ts";

/** What single permissions do. */
export interface Examined {
  /** For each entry of the users of contents: 0, {@link REDUNDANT} or {@link LOWERING}. */
  readonly users: Uint8Array;
  /** 1 for each entry of the teams of contents that decides somebody's role. */
  readonly needed: Uint8Array;
}

/** Without it, the user has the same role. */
const REDUNDANT = 1;
/** Without it, the user has a higher role. */
const LOWERING = 2;

/** Looks at every permission in one walk. */
export function* examine(model: Model, progress: (contents: number) => void): Generator<void, Examined> {
  const { contents } = model;
  const wanted = new Uint8Array(contents.count);
  for (let x = 0; x < wanted.length; x++)
    if (lengthOf(contents.teams, x) + lengthOf(contents.users, x) > 0) wanted[x] = 1;
  const examination = new Examination(model);
  const found = yield* withInherited(model, wanted);
  yield* everybodyOn(model, found, examination, progress);
  progress(contents.count);
  return examination;
}

class Examination implements Examined {
  readonly users: Uint8Array;
  readonly needed: Uint8Array;
  readonly #model: Model;
  #window: Window = { from: 0, to: 0, begins: new Uint32Array(0), ends: new Uint32Array(0) };
  /** By member of the window: 1 + the entry of the team that decides; an entry of an earlier content means nothing. */
  #deciding = new Uint32Array(0);
  /** What the member would have without that entry. */
  #otherwise = new Uint8Array(0);

  constructor(model: Model) {
    this.#model = model;
    this.users = new Uint8Array(model.contents.users.entries.length);
    this.needed = new Uint8Array(model.contents.teams.entries.length);
  }

  begin(window: Window): void {
    this.#window = window;
    this.#deciding = new Uint32Array(window.to - window.from);
    this.#otherwise = new Uint8Array(window.to - window.from);
  }

  arrive({ content: x, sheet }: Place): boolean {
    const { teams, users, ends } = this.#model.contents;
    const members = this.#model.teams.members.entries;
    const { from, to, begins, ends: edges } = this.#window;
    const [first, last] = [teams.at[x] ?? 0, teams.at[x + 1] ?? 0];
    const [deciding, otherwise] = [this.#deciding, this.#otherwise];
    /** What a member has through teams, or else inherits. */
    const roleAt = (place: number) => {
      const entry = deciding[place] ?? 0;
      return entry > first ? (teams.entries[entry - 1] ?? 0) & ROLE : (sheet[place] ?? NOTHING);
    };
    for (let g = first; g < last; g++) {
      const team = (teams.entries[g] ?? 0) >>> PERMISSION;
      const end = edges[team] ?? 0;
      for (let k = begins[team] ?? 0; k < end; k++) {
        const place = (members[k] ?? 0) - from;
        if ((sheet[place] ?? NOTHING) > ADMIN) continue;
        otherwise[place] = roleAt(place);
        deciding[place] = g + 1;
      }
    }
    const edge = to * (ROLE + 1);
    const end = users.at[x + 1] ?? 0;
    for (let k = lowerBound(users.entries, users.at[x] ?? 0, end, from * (ROLE + 1)); k < end; k++) {
      const entry = users.entries[k] ?? 0;
      if (entry >= edge) break;
      const place = (entry >>> PERMISSION) - from;
      const without = roleAt(place);
      const role = entry & ROLE;
      if (without > ADMIN || without === role) this.users[k] = REDUNDANT;
      else if (without > role) this.users[k] = LOWERING;
      deciding[place] = 0;
    }
    for (let g = first; g < last; g++) {
      if (this.needed[g] === 1) continue;
      const entry = teams.entries[g] ?? 0;
      const team = entry >>> PERMISSION;
      const edgeOf = edges[team] ?? 0;
      for (let k = begins[team] ?? 0; k < edgeOf; k++) {
        const place = (members[k] ?? 0) - from;
        if (deciding[place] !== g + 1 || otherwise[place] === (entry & ROLE)) continue;
        this.needed[g] = 1;
        break;
      }
    }
    // Only what others inherit needs to be painted.
    return (ends[x] ?? 0) > x + 1;
  }
}

/** The most findings per part: one content may have a million. */
const PART = 1000;
/** How many findings are worded until others get a turn. */
const FINDINGS_A_TURN = 50;

/** The findings on one content, in parts; or nothing, where others may have a turn. */
export function* redundantOn(
  model: Model,
  content: number,
  examined: Examined,
): Generator<readonly Finding[] | undefined> {
  const { users, teams } = model.contents;
  const found: number[] = [];
  for (let k = users.at[content] ?? 0; k < (users.at[content + 1] ?? 0); k++)
    if (examined.users[k] !== 0) found.push(k);
  if (found.length > 0) {
    const role = (k: number) => (users.entries[k] ?? 0) & ROLE;
    const kind = (k: number) => examined.users[k] ?? 0;
    // Equal ones stay in the order of users.
    found.sort((a, b) => role(a) - role(b) || kind(a) - kind(b) || a - b);
    yield* directFindings(model, content, found, examined);
  }
  const idle: number[] = [];
  for (let g = teams.at[content] ?? 0; g < (teams.at[content + 1] ?? 0); g++)
    if (examined.needed[g] !== 1) idle.push(g);
  if (idle.length > 0) yield* teamFindings(model, content, idle, examined);
}

function* directFindings(
  model: Model,
  x: number,
  entries: readonly number[],
  examined: Examined,
): Generator<readonly Finding[] | undefined> {
  const key = keyOf(model, x);
  const ladder = ladderOn(model, x);
  const titles = titlesIn(model);
  const content = contentRef(model, x);
  let part: Finding[] = [];
  for (const [done, k] of entries.entries()) {
    const entry = model.contents.users.entries[k] ?? 0;
    const member = entry >>> PERMISSION;
    const rights = rightsOn(model, member, x);
    const direct = new Map(rights.direct);
    direct.delete(key);
    const decision = decide(ladder, { ...rights, direct });
    if (decision === undefined)
      throw new Error(`${memberId(model, member)} has nothing on ${key} without what is redundant.`);
    const because = plain(reasonOf(key, decision, titles).because);
    const permission = { content, user: personIn(model, member), role: roleOf(entry & ROLE) };
    if (examined.users[k] === REDUNDANT)
      part.push({ kind: "redundant", ...permission, reason: sameReason(because, decision) });
    else if (decision.rule === "team")
      part.push({
        kind: "less-than-team",
        ...permission,
        reason: `${because} would give ${decision.role}`,
      });
    if (done % PART === PART - 1) {
      yield part;
      part = [];
    } else if (done % FINDINGS_A_TURN === 0) yield undefined;
  }
  yield part;
}

function sameReason(because: string, { rule, role }: Decision): string {
  return rule === "admin" ? `${because}, whatever else is set` : `${because} gives ${role} too`;
}

function* teamFindings(
  model: Model,
  x: number,
  idle: readonly number[],
  examined: Examined,
): Generator<readonly Finding[] | undefined, void, unknown> {
  const { teams } = model.contents;
  const teamOf = (g: number) => (teams.entries[g] ?? 0) >>> PERMISSION;
  const roleIn = (g: number) => (teams.entries[g] ?? 0) & ROLE;
  const rest = new Rest(model, x, examined);
  const gone = new Set<number>();
  // The weakest permissions are tried first, so that the strongest one remains.
  for (const g of idle.toSorted((a, b) => roleIn(a) - roleIn(b) || teamOf(a) - teamOf(b))) {
    // Each permission was examined as long as all others were there.
    const isExamined = rest.isWhole && gone.size === 0;
    if (!isExamined && (yield* rest.needs(teamOf(g)))) continue;
    rest.remove(teamOf(g));
    gone.add(g);
  }
  const content = contentRef(model, x);
  yield idle
    .toSorted((a, b) => teamOf(a) - teamOf(b))
    .map((g) => {
      const number = teamOf(g);
      const permission = { content, team: teamRef(model, number), role: roleOf(roleIn(g)) };
      const why =
        lengthOf(model.teams.members, number) > 0
          ? "every member of the team has the same role without it"
          : "the team has no members";
      return gone.has(g)
        ? { kind: "redundant", ...permission, reason: why }
        : {
            kind: "redundant-alone",
            ...permission,
            reason: "needed if the other redundant permissions here are removed",
          };
    });
}

/** How many members, one behind the other, are painted at once. */
const STRETCH = 1024;

/** What is left of the permissions on a content without redundant direct permissions and those of some teams. */
class Rest {
  readonly #model: Model;
  readonly #access: Access;
  /** The users whose direct permission stays. */
  readonly #direct = new Set<number>();
  /** The ranks of the teams that stay. */
  readonly #teams = new Map<number, number>();
  /** Whether all direct permissions stay. */
  readonly isWhole: boolean;
  readonly #sheet = new Uint8Array(STRETCH);

  constructor(model: Model, x: number, examined: Examined) {
    this.#model = model;
    const { teams, users } = model.contents;
    for (let g = teams.at[x] ?? 0; g < (teams.at[x + 1] ?? 0); g++) {
      const entry = teams.entries[g] ?? 0;
      this.#teams.set(entry >>> PERMISSION, entry & ROLE);
    }
    let redundant = 0;
    for (let k = users.at[x] ?? 0; k < (users.at[x + 1] ?? 0); k++)
      if (examined.users[k] === REDUNDANT) redundant++;
      else this.#direct.add((users.entries[k] ?? 0) >>> PERMISSION);
    this.#access = accessOn(model, x);
    this.isWhole = redundant === 0;
  }

  remove(team: number): void {
    this.#teams.delete(team);
  }

  /** Whether a team's permission decides somebody's role. */
  *needs(team: number): Generator<undefined, boolean> {
    const { members, teams } = this.#model;
    const role = this.#teams.get(team) ?? NOTHING;
    const { at, entries } = teams.members;
    const end = at[team + 1] ?? 0;
    for (let k = at[team] ?? 0; k < end;) {
      const from = entries[k] ?? 0;
      const next = lowerBound(entries, k, Math.min(end, k + STRETCH), from + STRETCH);
      paintInherited(this.#model, this.#access, from, (entries[next - 1] ?? from) + 1, this.#sheet);
      for (; k < next; k++) {
        const member = entries[k] ?? 0;
        if (members.roles[member] === ADMIN || this.#direct.has(member)) continue;
        const others = this.#highestOf(member, team);
        if (others >= role) continue;
        const otherwise = others === NOTHING ? (this.#sheet[member - from] ?? NOTHING) & ROLE : others;
        if (otherwise !== role) return true;
      }
      yield undefined;
    }
    return false;
  }

  /** The highest rank that the other teams of a member give. */
  #highestOf(member: number, but: number): number {
    const { at, entries } = this.#model.members.teams;
    let highest = NOTHING;
    for (let k = at[member] ?? 0; k < (at[member + 1] ?? 0); k++) {
      const team = (entries[k] ?? 0) >>> MEMBERSHIP;
      if (team !== but) highest = Math.max(highest, this.#teams.get(team) ?? NOTHING);
    }
    return highest;
  }
}
