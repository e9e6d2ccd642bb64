/** Translates the rules (docs/permissions.md) to what an access paints. */
import type { ContentKey } from "../../domain/content.ts";
import type { Decision, Level } from "../../domain/ladder.ts";
import { rank, type Role, ROLES } from "../../domain/role.ts";
import { type Head, isEmpty } from "../../sets/head.ts";
import type { Codes } from "../../sets/painting.ts";
import type { DirectHeads } from "../directory/contents.ts";
import { GUEST } from "../memory/universe.ts";
import { CLIMB_ENDS, MEMBERS, memberSets, SPACES, type Universe } from "../schema/set-names.ts";
import { Access, type Layer, type NamedSet, NO_SUBJECT, type Stroke } from "./access.ts";

/** The head of a set, by its name. */
export type HeadOf = (set: string) => Head;

/** A level with the users who have a direct permission there. */
export interface Rung extends Level {
  readonly direct: DirectHeads;
}

/** The positions of users whose direct permission on a content does not count, by content. */
export type LeftOut = ReadonlyMap<ContentKey, readonly number[]>;

type Sorted = readonly (readonly [team: string, role: Role])[];

/** Of the levels that were painted: a collection is on many ladders. */
const sorted = new WeakMap<Level["teams"], Sorted>();

function weakestFirst(teams: Level["teams"]): Sorted {
  let found = sorted.get(teams);
  if (found === undefined) {
    found = [...teams].sort(([a, x], [b, y]) => rank(x) - rank(y) || (a < b ? 1 : -1));
    sorted.set(teams, found);
  }
  return found;
}

/** Gives each decision a code and each set an index. */
class Palette {
  readonly ranks: number[] = [0];
  readonly decisions: (Decision | undefined)[] = [undefined];
  readonly sets: NamedSet[] = [];
  readonly #indexes = new Map<string, number>();

  /** The index of a set. */
  set(name: string, head: Head, except: readonly number[] = []): number {
    const set = except.length === 0 ? { name, head } : { name, head, except: new Set(except) };
    const index = this.sets.push(set) - 1;
    this.#indexes.set(name, index);
    return index;
  }

  code(role: Role, decision?: Decision): number {
    this.decisions.push(decision);
    return this.ranks.push(rank(role)) - 1;
  }

  /** A stroke for the members of a set; none if the set is empty. */
  stroke(name: string, headOf: HeadOf, decision: Decision): Stroke[] {
    let set = this.#indexes.get(name);
    if (set === undefined) {
      const head = headOf(name);
      if (isEmpty(head)) return [];
      set = this.set(name, head);
    }
    return [{ set, code: this.code(decision.role, decision) }];
  }

  /** The permissions on a level: its teams, weakest first, then its users. Of equal teams, the smallest id is last. */
  permissions(level: Rung, headOf: HeadOf, leftOut?: LeftOut): Stroke[] {
    const { content, direct } = level;
    const strokes: Stroke[] = [];
    for (const [team, role] of weakestFirst(level.teams)) {
      strokes.push(...this.stroke(memberSets.ofTeam(team), headOf, { role, rule: "team", level, team }));
    }
    for (const [role, head] of direct) {
      const set = this.set(memberSets.given(content, role), head, leftOut?.get(content));
      strokes.push({ set, code: this.code(role, { role, rule: "direct", level }) });
    }
    return strokes;
  }

  /** What a level gives to members without a permission, if the climb ends there; `undefined` for nothing. */
  end(level: Level): Codes | undefined {
    const codes = new Uint32Array(GUEST + 1);
    const { defaultLevel } = level;
    if (defaultLevel === null) return undefined;
    if (defaultLevel !== "inherit") {
      const decision: Decision = { role: defaultLevel, rule: "default", level };
      return codes.fill(this.code(defaultLevel, decision), 1, GUEST);
    }
    for (const role of ROLES) codes[rank(role)] = this.code(role, { role, rule: "organization" });
    return codes;
  }

  access(
    universe: Universe,
    layers: readonly Layer[],
    subjects: readonly ContentKey[] = [],
    admins?: Stroke,
  ): Access {
    const { ranks, decisions, sets } = this;
    return new Access({ universe, ranks, decisions, sets, layers, subjects, admins });
  }

  /** An access of one layer. */
  single(universe: Universe, strokes: readonly Stroke[], base?: Codes): Access {
    return this.access(universe, [{ above: undefined, depth: 0, strokes, base, subject: 0 }]);
  }
}

/** A layer, before the layers are numbered. */
interface Drawn extends Omit<Layer, "above" | "depth" | "subject"> {
  subject: number;
  /** The layers of the contents that inherit from it. */
  readonly heirs: Drawn[];
}

/** The access on the contents with these ladders: on several, the highest role of each member. */
export function accessOn(ladders: readonly (readonly Rung[])[], headOf: HeadOf, leftOut?: LeftOut): Access {
  const palette = new Palette();
  const known = new Map<ContentKey, Drawn>();
  const roots: Drawn[] = [];
  for (const [subject, ladder] of ladders.entries()) {
    let below = roots;
    let drawn: Drawn | undefined;
    for (const level of ladder.toReversed()) {
      drawn = known.get(level.content);
      if (drawn === undefined) {
        const base = below === roots ? palette.end(level) : undefined;
        drawn = {
          strokes: palette.permissions(level, headOf, leftOut),
          base,
          subject: NO_SUBJECT,
          heirs: [],
        };
        known.set(level.content, drawn);
        below.push(drawn);
      }
      below = drawn.heirs;
    }
    if (drawn !== undefined) drawn.subject = Math.min(drawn.subject, subject);
  }
  const layers: Layer[] = [];
  const add = ({ heirs, ...own }: Drawn, above: number | undefined, depth: number) => {
    const index = layers.push({ ...own, above, depth }) - 1;
    for (const heir of heirs) add(heir, index, depth + 1);
  };
  for (const root of roots) add(root, undefined, 0);
  const admin: Decision = { role: "admin", rule: "admin" };
  // Without contents, admins have no role either.
  const [admins] = ladders.length === 0 ? [] : palette.stroke(memberSets.withRole("admin"), headOf, admin);
  const subjects = ladders.map(([first]) => first?.content ?? "space/");
  return palette.access(MEMBERS, layers, subjects, admins);
}

/** A permission of one member, or of one team, on a set of spaces. */
export interface SpacesGiven {
  /** The name of the set, which is not empty. */
  readonly set: string;
  readonly head: Head;
  readonly decision: Decision;
}

/**
 * The access of one member on all spaces. `given` has the member's permissions, weakest first: those on higher
 * collections before those on lower ones, then those of teams on spaces, then direct ones on spaces.
 */
export function accessOfMember(role: Role | null, given: readonly SpacesGiven[]): Access {
  const palette = new Palette();
  const base = new Uint32Array(CLIMB_ENDS.length + 1);
  if (role === "admin") base.fill(palette.code(role, { role, rule: "admin" }), 1);
  else if (role !== null) {
    for (const [index, end] of CLIMB_ENDS.entries()) {
      if (end === "closed") continue;
      const decision: Decision =
        end === "organization" ? { role, rule: end } : { role: end, rule: "default" };
      base[index + 1] = palette.code(decision.role, decision);
    }
  }
  const painted = role === "admin" ? [] : given;
  const strokes = painted.map(({ set, head, decision }) => ({
    set: palette.set(set, head),
    code: palette.code(decision.role, decision),
  }));
  return palette.single(SPACES, strokes, base);
}
