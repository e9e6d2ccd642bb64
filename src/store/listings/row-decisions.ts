/** Effective roles of members whose rows list what they are in: the ladder is climbed for each, and no set is read. */
import { type Decision, decide, type Ladder, type Subject } from "../../domain/ladder.ts";
import type { ContentKey } from "../../domain/content.ts";
import type { Role } from "../../domain/role.ts";
import { decodeMemberRole, grantsAmong, teamsAmong } from "../schema/encoding.ts";
import { WantedWords } from "../schema/wanted-words.ts";
import { SeveralLadders } from "../../domain/several-ladders.ts";

/** What decided on a member, and the ladder on which it did. */
export interface Decided {
  readonly ladder: Ladder;
  readonly decision: Decision;
  /** The teams of the member that hold a permission on the deciding level; others may be among them. */
  readonly teams: readonly string[];
}

/** What some ladders give to members; of several ladders the first that gives the highest role decides. */
export class RowDecisions {
  readonly #teams = new WantedWords<string>();
  readonly #contents = new WantedWords<ContentKey>();
  readonly #decide: (subject: Subject) => Omit<Decided, "teams"> | undefined;
  /** Those who were given nothing differ by their organization roles alone. */
  readonly #givenNothing = new Map<Role | null, Decided | undefined>();

  constructor(ladders: readonly Ladder[]) {
    const [ladder = [], ...others] = ladders;
    const several = others.length === 0 ? undefined : new SeveralLadders(ladders);
    this.#decide = (subject) => (several === undefined ? climb(ladder, subject) : several.highest(subject));
    for (const { content, teams } of several?.levels ?? ladder) {
      this.#contents.add(content);
      for (const team of teams.keys()) this.#teams.add(team);
    }
  }

  /** What decides on a member, by what their row has; `undefined` for who has no role. */
  of(code: number, listed: string, grants: string): Decided | undefined {
    const role = decodeMemberRole(code);
    const teams = teamsAmong(listed, this.#teams);
    const direct = grantsAmong(grants, this.#contents);
    if (teams.length > 0 || direct.size > 0) return this.#decided({ role, teams, direct });
    if (!this.#givenNothing.has(role)) this.#givenNothing.set(role, this.#decided({ role, teams, direct }));
    return this.#givenNothing.get(role);
  }

  #decided(subject: Subject): Decided | undefined {
    const found = this.#decide(subject);
    return found && { ...found, teams: subject.teams };
  }
}

function climb(ladder: Ladder, subject: Subject): Omit<Decided, "teams"> | undefined {
  const decision = decide(ladder, subject);
  return decision && { ladder, decision };
}
