import { type Decision, decide, type Subject } from "../domain/access.ts";
import type { ContentKey } from "../domain/content.ts";
import { rank, type Role } from "../domain/role.ts";
import type { Content } from "./content.ts";
import { factsOf, type Target } from "./target.ts";

/** Where a role on a site comes from (contract, section 4, endpoint 8). */
export interface SiteDecision {
  readonly role: Role;
  /** The space with the smallest id among those that give the role. */
  readonly space: ContentKey;
  readonly decision: Decision;
}

/** What one of the site's ladders gives somebody. */
interface Given extends SiteDecision {
  /** The ladder's place in the order of the spaces' ids. */
  readonly place: number;
}

/** `ladders`: of the site's spaces, in the order of their ids. */
export function siteTarget(site: string, ladders: readonly (readonly Content[])[]): Target<SiteDecision> {
  const climb = (place: number, member: Subject): Given | undefined => {
    const ladder = ladders[place] ?? [];
    const decision = decide(ladder, member);
    const space = ladder[0]?.content;
    return decision === undefined || space === undefined
      ? undefined
      : { role: decision.role, space, decision, place };
  };
  const places = placesOf(ladders);
  const standings = new Map<Role | null, Given[]>();
  /** What the ladders give a member who was given nothing, best first. */
  const standingOf = (role: Role | null): readonly Given[] => {
    let standing = standings.get(role);
    if (standing === undefined) {
      const nobody: Subject = { role, teams: [], direct: new Map() };
      standing = ladders.flatMap((_, place) => climb(place, nobody) ?? []).sort(compare);
      standings.set(role, standing);
    }
    return standing;
  };
  return {
    name: `site/${site}`,
    ladders,
    facts: factsOf(ladders),
    // Only the ladders are climbed on which something was given to the member or a team of theirs.
    decide(member) {
      const standing = standingOf(member.role);
      if (member.role === "admin") return standing[0];
      const own = new Set<number>();
      for (const name of [...member.teams, ...member.direct.keys()]) {
        for (const place of places.get(name) ?? []) own.add(place);
      }
      let best = standing.find(({ place }) => !own.has(place));
      for (const place of own) {
        const given = climb(place, member);
        if (given !== undefined && (best === undefined || compare(given, best) < 0)) best = given;
      }
      return best;
    },
  };
}

/** The highest role first; of one role the space with the smallest id. */
function compare(a: Given, b: Given): number {
  return rank(b.role) - rank(a.role) || a.place - b.place;
}

/** On which ladders a team, or a direct permission on a content, has a say. A team's id holds no slash, a key has one. */
function placesOf(ladders: readonly (readonly Content[])[]): ReadonlyMap<string, readonly number[]> {
  const places = new Map<string, number[]>();
  const note = (name: string, place: number) => {
    const known = places.get(name);
    if (known === undefined) places.set(name, [place]);
    else if (known.at(-1) !== place) known.push(place);
  };
  for (const [place, ladder] of ladders.entries()) {
    for (const { content, teams } of ladder) {
      note(content, place);
      for (const team of teams.keys()) note(team, place);
    }
  }
  return places;
}
