import { decide, type Subject } from "../domain/access.ts";
import { rank, type Role, ROLES } from "../domain/role.ts";
import type { Content } from "./content.ts";

type Ladders = readonly (readonly Content[])[];

/** The roles from the strongest down. */
const STRONGEST_FIRST = ROLES.toReversed();
const NOBODY = { teams: [], direct: new Map() };

/**
 * Finds the highest role that a member has on several contents, and climbs only where it may be. It is either what
 * members with the same organization role have who were given nothing, or a role that was given to the member or to
 * one of their teams somewhere on a ladder.
 */
export function highestOn(ladders: Ladders): (member: Subject) => Role | undefined {
  const touching = ladders.map(
    (ladder) => new Set(ladder.flatMap(({ content, teams }) => [content, ...teams.keys()])),
  );
  const giving = givingOn(ladders);
  const plain = new Map<Subject["role"], readonly Found[]>();

  return (member) => {
    // A team's id never reads like the key of a content, which has a slash.
    const keys = [...member.teams, ...member.direct.keys()];
    let best: Role | undefined;
    const climb = (at: number) => {
      const found = decide(ladders[at] ?? [], member)?.role;
      if (found !== undefined && isAbove(found, best)) best = found;
    };
    const alike = plain.get(member.role) ?? plainOn(ladders, member.role);
    plain.set(member.role, alike);
    for (const { at, role } of alike) {
      if (!isAbove(role, best)) break;
      if (keys.some((key) => touching[at]?.has(key) === true)) climb(at);
      else best = role;
    }
    const held = keys.flatMap((key) => giving.get(key) ?? []);
    for (const role of held.length === 0 ? [] : STRONGEST_FIRST) {
      for (const places of held) {
        if (!isAbove(role, best)) return best;
        for (const at of places[role]) if (isAbove(role, best)) climb(at);
      }
    }
    return best;
  };
}

interface Found {
  /** The ladder's place. */
  readonly at: number;
  readonly role: Role;
}

/** What those have who were given nothing, on each content that lets them in, strongest first. */
function plainOn(ladders: Ladders, role: Subject["role"]): Found[] {
  return ladders
    .flatMap((ladder, at) => {
      const found = decide(ladder, { role, ...NOBODY });
      return found === undefined ? [] : [{ at, role: found.role }];
    })
    .sort((a, b) => rank(b.role) - rank(a.role));
}

/** Of ladders, the places of those on which something may give a role. */
type Places = Record<Role, number[]>;

/** The ladders on which a team, or a direct permission on a content, may give which role: by the id of the one, the key of the other. */
function givingOn(ladders: Ladders): ReadonlyMap<string, Places> {
  const found = new Map<string, Places>();
  const note = (key: string, role: Role, at: number) => {
    const places = found.get(key) ?? { read: [], comment: [], edit: [], review: [], create: [], admin: [] };
    places[role].push(at);
    found.set(key, places);
  };
  for (const [at, ladder] of ladders.entries()) {
    for (const { content, direct, teams } of ladder) {
      for (const role of ROLES) if (direct[role] > 0) note(content, role, at);
      for (const [team, role] of teams) note(team, role, at);
    }
  }
  return found;
}

function isAbove(role: Role, best: Role | undefined): boolean {
  return best === undefined || rank(role) > rank(best);
}
