/** Builds the sets of members in one pass over the members, from the lists in their rows. */
import { roleOf } from "../../../../domain/role.ts";
import { copied } from "../../../../domain/copied.ts";
import { decodeContent, decodeMemberRole, decodeTeams } from "../../../schema/encoding.ts";
import { type Staging, statement } from "../../../engine/engine.ts";
import { MEMBERS, memberSets } from "../../../schema/set-names.ts";
import { allGrants, allTeams } from "../listed.ts";
import { PositionLists } from "../../../../sets/position-lists.ts";
import type { OpenSet, SetRows } from "./set-rows.ts";

type Row = [generation: number, position: number, role: number, teams: string, grants: string];

const LISTED = statement<Row>(
  () => `
    SELECT p.generation, p.position, p.role, ${allTeams("p")}, ${allGrants("p")} FROM staged_place p
      ORDER BY p.generation, p.position`,
);

/** Stages the sets of members of the changed organizations. */
export async function stageMemberSets(staging: Staging, rows: SetRows): Promise<void> {
  let generation = 0;
  const open = (name: (key: string) => string) =>
    new OpenSets((key) => rows.open(generation, MEMBERS, name(key)));
  const roles = open((role) => memberSets.withRole(decodeMemberRole(Number(role))));
  const teams = open((team) => memberSets.ofTeam(team));
  const grants = open((grant) => {
    const space = grant.lastIndexOf(" ");
    return memberSets.given(decodeContent(grant.slice(0, space)), roleOf(Number(grant.slice(space + 1))));
  });
  const end = async () => {
    for (const each of [roles, teams, grants]) {
      for (const set of each.taken()) {
        set.end();
        if (rows.isFull) await rows.flush();
      }
    }
    await rows.flush();
  };
  for await (const [of, position, role, listedTeams, listedGrants] of staging.stream(LISTED)) {
    if (of !== generation) await end();
    generation = of;
    roles.add(String(role), position);
    for (const team of decodeTeams(listedTeams)) teams.add(team, position);
    // The text of a grant has the content and the role, so it identifies the set.
    if (listedGrants !== "") for (const grant of listedGrants.split(",")) grants.add(grant, position);
    if (rows.isFull) await rows.flush();
  }
  await end();
}

/** A set with at most this many positions is a list. Most sets have few positions, and a set builder takes more memory. */
const FEW = 16;

/** Sets of one kind. All of them are built at the same time. */
class OpenSets {
  readonly #open: (key: string) => OpenSet;
  #lists = new PositionLists();
  /** For each key, its list in {@link #lists} or, if that would be long, its set. */
  readonly #sets = new Map<string, number | OpenSet>();

  constructor(open: (key: string) => OpenSet) {
    this.#open = open;
  }

  add(key: string, position: number): void {
    const set = this.#sets.get(key) ?? 0;
    if (typeof set !== "number") return set.builder.add(position);
    const list = this.#lists.add(set, position);
    if (set === 0) this.#sets.set(copied(key), list);
    else this.#sets.set(key, this.#lists.isLonger(list, FEW) ? this.#opened(key, list) : list);
  }

  /** Removes all sets, and returns them one by one. */
  *taken(): Generator<OpenSet> {
    for (const [key, set] of this.#sets) {
      this.#sets.delete(key);
      yield typeof set === "number" ? this.#opened(key, set) : set;
    }
    this.#lists = new PositionLists();
  }

  #opened(key: string, list: number): OpenSet {
    const set = this.#open(key);
    for (const position of this.#lists.positionsOf(list)) set.builder.add(position);
    return set;
  }
}
