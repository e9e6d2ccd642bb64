/** Builds the sets of members in one pass over the members, from the lists in their rows. */
import { roleOf } from "../../../../domain/role.ts";
import { decodeContent, decodeMemberRole, decodeTeams } from "../../../schema/encoding.ts";
import { type Staging, statement } from "../../../engine/engine.ts";
import { MEMBERS, memberSets } from "../../../schema/set-names.ts";
import { allGrants, allTeams } from "../listed.ts";
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
  const open = <Key>(name: (key: Key) => string) =>
    new OpenSets((key: Key) => rows.open(generation, MEMBERS, name(key)));
  const roles = open((role: number) => memberSets.withRole(decodeMemberRole(role)));
  const teams = open((team: string) => memberSets.ofTeam(team));
  const grants = open((grant: string) => {
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
    roles.add(role, position);
    for (const team of decodeTeams(listedTeams)) teams.add(team, position);
    // The text of a grant has the content and the role, so it identifies the set.
    if (listedGrants !== "") for (const grant of listedGrants.split(",")) grants.add(grant, position);
    if (rows.isFull) await rows.flush();
  }
  await end();
}

/**
 * A set with at most this many positions is an array. Most sets have one or two positions, and a set builder takes far
 * more memory.
 */
const FEW = 16;

/** Sets of one kind. All of them are built at the same time. */
class OpenSets<Key> {
  readonly #open: (key: Key) => OpenSet;
  readonly #sets = new Map<Key, OpenSet | number[]>();

  constructor(open: (key: Key) => OpenSet) {
    this.#open = open;
  }

  add(key: Key, position: number): void {
    const set = this.#sets.get(key);
    if (set === undefined) this.#sets.set(key, [position]);
    else if (!Array.isArray(set)) set.builder.add(position);
    else if (set.push(position) > FEW) this.#sets.set(key, this.#opened(key, set));
  }

  /** Removes all sets, and returns them one by one. */
  *taken(): Generator<OpenSet> {
    for (const [key, set] of this.#sets) {
      this.#sets.delete(key);
      yield Array.isArray(set) ? this.#opened(key, set) : set;
    }
  }

  #opened(key: Key, positions: readonly number[]): OpenSet {
    const set = this.#open(key);
    for (const position of positions) set.builder.add(position);
    return set;
  }
}
