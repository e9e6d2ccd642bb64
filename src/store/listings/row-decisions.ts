/**
 * Decides members by their rows, which list their teams and direct permissions: climbs the ladder for each member,
 * and reads no set.
 */
import { type Decision, decide, type Ladder, type Subject } from "../../domain/ladder.ts";
import type { ContentKey } from "../../domain/content.ts";
import type { Role } from "../../domain/role.ts";
import { positionAt } from "../../sets/position.ts";
import { listedMembersAt } from "../directory/member-rows.ts";
import type { Reading } from "../reading.ts";
import { decodeMemberRole, grantsAmong, MANY, teamsAmong } from "../schema/encoding.ts";
import { WantedWords } from "../schema/wanted-words.ts";
import { SeveralLadders } from "../../domain/several-ladders.ts";

/** A decision and its ladder. */
export interface Decided {
  readonly ladder: Ladder;
  readonly decision: Decision;
  /** At least those teams of the member that have a permission on the deciding level. */
  readonly teams: readonly string[];
}

/** Decides members on some ladders; of several ladders, the first with the highest role. */
export class RowDecisions {
  readonly #teams = new WantedWords<string>();
  readonly #contents = new WantedWords<ContentKey>();
  readonly #decide: (subject: Subject) => Omit<Decided, "teams"> | undefined;
  /** Decisions by organization role, for members without permissions. */
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

  /** The decision for a member, from encoded columns; `undefined` for a member without a role. */
  of(code: number, listed: string, grants: string): Decided | undefined {
    const role = decodeMemberRole(code);
    const teams = teamsAmong(listed, this.#teams);
    const direct = grantsAmong(grants, this.#contents);
    if (teams.length > 0 || direct.size > 0) return this.#decided({ role, teams, direct });
    if (!this.#givenNothing.has(role)) this.#givenNothing.set(role, this.#decided({ role, teams, direct }));
    return this.#givenNothing.get(role);
  }

  /** The decisions for some slots of a chunk; `undefined` if one of the rows is incomplete. */
  async ofSlots(
    reading: Reading,
    chunk: number,
    slots: readonly number[],
  ): Promise<ReadonlyMap<number, Decided | undefined> | undefined> {
    const positions = slots.map((slot) => positionAt(chunk, slot));
    const rows = await listedMembersAt(reading, positions);
    const found = new Map<number, Decided | undefined>();
    for (const [place, position] of positions.entries()) {
      const row = rows.get(position);
      if (row === undefined) throw new Error(`No member has position ${position}, which a set holds.`);
      const [, , role, , , teams, grants] = row;
      if (teams === MANY || grants === MANY) return undefined;
      found.set(slots[place] ?? 0, this.of(role, teams, grants));
    }
    return found;
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
