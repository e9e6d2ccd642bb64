/** The members whom rules and exceptions name: members who are in the same audiences are one class. */
import { type Model, findMember, findTeam, NOTHING } from "../model/model.ts";
import { rank } from "../domain/role.ts";
import type { Who } from "./rule.ts";

export interface Classes {
  /** The class of each member. */
  readonly of: Uint32Array;
  readonly count: number;
  /** Whether the members of a class are in an audience. */
  has(audience: Who, number: number): boolean;
}

/** Divides the members by the audiences in which they are. */
export function* classify(model: Model, audiences: readonly Who[]): Generator<void, Classes> {
  const of = new Uint32Array(model.members.count);
  /** The indexes of the audiences of each class. */
  let within: readonly number[][] = [[]];
  const indexes = new Map<string, number>();
  for (const audience of audiences) {
    const text = JSON.stringify(audience);
    if (indexes.has(text)) continue;
    const index = indexes.size;
    indexes.set(text, index);
    const isIn = membersIn(model, audience);
    yield;
    // A class is divided if only some of its members are in the audience.
    const divided: number[][] = [];
    const next = new Int32Array(2 * within.length).fill(-1);
    for (let member = 0; member < of.length; member++) {
      const part = 2 * (of[member] ?? 0) + (isIn[member] ?? 0);
      let found = next[part] ?? -1;
      if (found < 0) {
        const known = within[part >>> 1] ?? [];
        found = divided.push((part & 1) === 1 ? [...known, index] : known) - 1;
        next[part] = found;
      }
      of[member] = found;
    }
    within = divided;
    yield;
  }
  const sets = within.map((some) => new Set(some));
  return {
    of,
    count: within.length,
    has: (audience, number) => sets[number]?.has(indexes.get(JSON.stringify(audience)) ?? -1) === true,
  };
}

/** 1 for each member of an audience. */
function membersIn(model: Model, who: Who): Uint8Array {
  const { members, teams } = model;
  const found = new Uint8Array(members.count);
  switch (who.kind) {
    case "everybody":
      return found.fill(1);
    case "guests":
      return withRole(model, NOTHING, found);
    case "role":
      return withRole(model, rank(who.role), found);
    case "team": {
      const team = findTeam(model, who.id);
      if (team === undefined) return found;
      const { at, entries } = teams.members;
      for (let k = at[team] ?? 0; k < (at[team + 1] ?? 0); k++) found[entries[k] ?? 0] = 1;
      return found;
    }
    case "user": {
      const member = findMember(model, who.id);
      if (member !== undefined) found[member] = 1;
      return found;
    }
    case "any of":
      for (const each of who.of) {
        const some = membersIn(model, each);
        for (let member = 0; member < found.length; member++) if (some[member] === 1) found[member] = 1;
      }
      return found;
    case "all of":
      found.fill(1);
      for (const each of who.of) {
        const some = membersIn(model, each);
        for (let member = 0; member < found.length; member++) if (some[member] !== 1) found[member] = 0;
      }
      return found;
    case "everybody but":
      return membersIn(model, who.of).map((isIn) => 1 - isIn);
  }
}

function withRole({ members }: Model, role: number, found: Uint8Array): Uint8Array {
  for (let member = 0; member < found.length; member++) if (members.roles[member] === role) found[member] = 1;
  return found;
}
