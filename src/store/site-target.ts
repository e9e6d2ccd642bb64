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

/** What one source can give somebody on one of the site's ladders. */
interface Chance {
  /** The rank of its highest role there; a nearer source may give less. */
  readonly most: number;
  /** The ladder's place in the order of the spaces' ids. */
  readonly place: number;
}

/** What one of the ladders gives somebody. */
interface Given extends SiteDecision, Chance {}

/** `ladders`: of the site's spaces, in the order of their ids. */
export function siteTarget(site: string, ladders: readonly (readonly Content[])[]): Target<SiteDecision> {
  const climb = (place: number, member: Subject): Given | undefined => {
    const ladder = ladders[place] ?? [];
    const decision = decide(ladder, member);
    const space = ladder[0]?.content;
    if (decision === undefined || space === undefined) return undefined;
    return { role: decision.role, space, decision, most: rank(decision.role), place };
  };
  const chances = new Chances(ladders, climb);
  return {
    name: `site/${site}`,
    ladders,
    facts: factsOf(ladders),
    // Ladders are climbed in the order of what they can give, until none is left that can give more.
    decide(member) {
      const lists = chances.of(member).map((list) => ({ list, next: 0 }));
      const climbed = new Set<number>();
      let best: Given | undefined;
      for (;;) {
        let ahead: { readonly chance: Chance; readonly of: (typeof lists)[number] } | undefined;
        for (const of of lists) {
          const chance = of.list[of.next];
          if (chance !== undefined && (ahead === undefined || compare(chance, ahead.chance) < 0))
            ahead = { chance, of };
        }
        if (ahead === undefined || (best !== undefined && compare(best, ahead.chance) <= 0)) return best;
        ahead.of.next++;
        const { place } = ahead.chance;
        if (climbed.has(place)) continue;
        climbed.add(place);
        const given = climb(place, member);
        if (given !== undefined && (best === undefined || compare(given, best) < 0)) best = given;
      }
    },
  };
}

/** The highest role first; of one role the space with the smallest id. */
function compare(a: Chance, b: Chance): number {
  return b.most - a.most || a.place - b.place;
}

/** What each source can give on the ladders, best first: worked out once, for all members. */
class Chances {
  readonly #ladders: readonly (readonly Content[])[];
  readonly #climb: (place: number, member: Subject) => Chance | undefined;
  readonly #standing = new Map<Role | null, readonly Chance[]>();
  readonly #teams: ReadonlyMap<string, readonly Chance[]>;
  readonly #contents: ReadonlySet<ContentKey>;
  readonly #direct = new Map<string, readonly Chance[]>();

  constructor(
    ladders: readonly (readonly Content[])[],
    climb: (place: number, member: Subject) => Chance | undefined,
  ) {
    this.#ladders = ladders;
    this.#climb = climb;
    this.#teams = chancesOfTeams(ladders);
    this.#contents = new Set(ladders.flat().map(({ content }) => content));
  }

  /** A list for each source that has something for the member; together they name every ladder that gives them a role. */
  of({ role, teams, direct }: Subject): (readonly Chance[])[] {
    const lists = [this.#standingOf(role)];
    for (const team of teams) {
      const list = this.#teams.get(team);
      if (list !== undefined) lists.push(list);
    }
    for (const [content, held] of direct) {
      // Who asks why has members with all that they hold, mostly elsewhere: that must not be kept.
      if (this.#contents.has(content)) lists.push(this.#directOf(content, held));
    }
    return lists;
  }

  /** What the ladders give a member who was given nothing. */
  #standingOf(role: Role | null): readonly Chance[] {
    let standing = this.#standing.get(role);
    if (standing === undefined) {
      const nobody: Subject = { role, teams: [], direct: new Map() };
      standing = this.#ladders.flatMap((_, place) => this.#climb(place, nobody) ?? []).sort(compare);
      this.#standing.set(role, standing);
    }
    return standing;
  }

  #directOf(content: ContentKey, role: Role): readonly Chance[] {
    const key = `${role} ${content}`;
    let list = this.#direct.get(key);
    if (list === undefined) {
      const most = rank(role);
      list = this.#ladders.flatMap((ladder, place) =>
        ladder.some((level) => level.content === content) ? { most, place } : [],
      );
      this.#direct.set(key, list);
    }
    return list;
  }
}

function chancesOfTeams(ladders: readonly (readonly Content[])[]): ReadonlyMap<string, readonly Chance[]> {
  const found = new Map<string, Chance[]>();
  for (const [place, ladder] of ladders.entries()) {
    const most = new Map<string, number>();
    for (const { teams } of ladder) {
      for (const [team, role] of teams) most.set(team, Math.max(rank(role), most.get(team) ?? 0));
    }
    for (const [team, highest] of most) {
      const known = found.get(team);
      if (known === undefined) found.set(team, [{ most: highest, place }]);
      else known.push({ most: highest, place });
    }
  }
  for (const list of found.values()) list.sort(compare);
  return found;
}
