/**
 * Decides members by the teams and direct permissions in their rows: climbs the ladder for each member, and reads no
 * set.
 */
import { type Decision, decide, type Ladder, type Subject } from "../../../domain/ladder.ts";
import type { ContentKey } from "../../../domain/content.ts";
import type { Role } from "../../../domain/role.ts";
import { positionAt } from "../../../sets/position.ts";
import {
  givenAmong,
  isCut,
  type ListedMemberRow,
  listedMembersAt,
} from "../../directory/rows/member-rows.ts";
import type { Reading } from "../../reading.ts";
import { decodeMemberRole, grantsAmong, teamsAmong } from "../../schema/encoding.ts";
import { WantedWords } from "../../schema/wanted-words.ts";
import { SeveralLadders } from "../../../domain/several-ladders.ts";

export interface Decided {
  readonly ladder: Ladder;
  readonly decision: Decision;
  /** The member's teams that have a permission on the deciding level. Other teams may be included. */
  readonly teams: readonly string[];
}

/** The maximum number of look-ups per page for members whose rows do not list all teams and direct permissions. */
const LOOK_UPS = 512;

/**
 * Decides members on one or several ladders. Of several ladders, the one with the highest role decides; of equal roles,
 * the first ladder.
 */
export class RowDecisions {
  readonly #teams = new WantedWords<string>();
  readonly #contents = new WantedWords<ContentKey>();
  readonly #decide: (subject: Subject) => Omit<Decided, "teams"> | undefined;
  /**
   * Decisions that many members share: by organization role and team, for members with at most one team on the ladders
   * and without direct permissions there.
   */
  readonly #alike = new Map<Role | null, Map<string | undefined, Decided | undefined>>();

  constructor(ladders: readonly Ladder[]) {
    const [ladder = [], ...others] = ladders;
    const several = others.length === 0 ? undefined : new SeveralLadders(ladders);
    this.#decide = (subject) => (several === undefined ? climb(ladder, subject) : several.highest(subject));
    for (const { content, teams } of several?.levels ?? ladder) {
      this.#contents.add(content);
      for (const team of teams.keys()) this.#teams.add(team);
    }
  }

  /**
   * The decisions on some members; `undefined` for a member without a role. Returns `undefined` if this would take more
   * than {@link LOOK_UPS} look-ups.
   */
  async ofRows(
    reading: Reading,
    rows: readonly ListedMemberRow[],
  ): Promise<readonly (Decided | undefined)[] | undefined> {
    const cut = rows.filter(isCut);
    if (cut.length * (this.#teams.size + this.#contents.size) > LOOK_UPS) return undefined;
    const positions = cut.map(([position]) => position);
    const held =
      cut.length === 0
        ? undefined
        : await givenAmong(reading, positions, this.#teams.all, this.#contents.all);
    return rows.map((row) => {
      const [position, , code, , , listed, grants] = row;
      const found = held?.get(position);
      const role = decodeMemberRole(code);
      return found === undefined ? this.#ofListed(role, listed, grants) : this.#decided({ role, ...found });
    });
  }

  #ofListed(role: Role | null, listed: string, grants: string): Decided | undefined {
    const teams = teamsAmong(listed, this.#teams);
    const direct = grantsAmong(grants, this.#contents);
    if (teams.length > 1 || direct.size > 0) return this.#decided({ role, teams, direct });
    const alike = this.#alikeTo(role);
    const [team] = teams;
    if (!alike.has(team)) alike.set(team, this.#decided({ role, teams, direct }));
    return alike.get(team);
  }

  /** The shared decisions on members with this organization role, by team. */
  #alikeTo(role: Role | null): Map<string | undefined, Decided | undefined> {
    const known = this.#alike.get(role) ?? new Map<string | undefined, Decided | undefined>();
    this.#alike.set(role, known);
    return known;
  }

  /**
   * The decisions on the members at some slots of a chunk, by slot. Returns `undefined` in the same case as
   * {@link ofRows}.
   */
  async ofSlots(
    reading: Reading,
    chunk: number,
    slots: readonly number[],
  ): Promise<ReadonlyMap<number, Decided | undefined> | undefined> {
    const positions = slots.map((slot) => positionAt(chunk, slot));
    const found = await listedMembersAt(reading, positions);
    const rows = positions.map((position) => {
      const row = found.get(position);
      if (row === undefined) throw new Error(`No member has position ${position}, which a set holds.`);
      return row;
    });
    const decisions = await this.ofRows(reading, rows);
    return decisions && new Map(decisions.map((decided, index) => [slots[index] ?? 0, decided]));
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
