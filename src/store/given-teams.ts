import type { TeamRoles } from "../domain/access.ts";
import { type Role, roleOf } from "../domain/role.ts";
import { roleAt } from "./codes.ts";

/** So many teams are looked for in the text before it is taken apart. */
const FEW_ASKED = 8;

/**
 * What teams hold on a content, as its row lists them: "docs 4 12,support 1 30" is team, rank of its role (one digit),
 * members. A page of a member's spaces asks some hundred of these for a team or two, a page of who is on a content
 * asks one of them for hundreds.
 */
export class GivenTeams implements TeamRoles {
  readonly #text: string;
  #asked = 0;
  #roles: ReadonlyMap<string, Role> | undefined;
  #sizes: ReadonlyMap<string, number> | undefined;

  constructor(text: string) {
    this.#text = text;
  }

  get(team: string): Role | undefined {
    if (this.#text === "") return undefined;
    if (this.#roles !== undefined || this.#asked++ >= FEW_ASKED) return this.#all().get(team);
    const end = endOf(team, this.#text);
    return end < 0 ? undefined : roleAt(this.#text, end + 1);
  }

  has(team: string): boolean {
    return this.get(team) !== undefined;
  }

  keys(): Iterable<string> {
    return this.#all().keys();
  }

  [Symbol.iterator](): Iterator<[string, Role]> {
    return this.#all()[Symbol.iterator]();
  }

  get size(): number {
    return this.#all().size;
  }

  /** How many members each of the teams has. */
  get sizes(): ReadonlyMap<string, number> {
    this.#sizes ??= this.#parse((_, members) => Number(members));
    return this.#sizes;
  }

  /** About how many bytes this takes in memory once it is taken apart. */
  get bytes(): number {
    return 10 * this.#text.length;
  }

  #all(): ReadonlyMap<string, Role> {
    this.#roles ??= this.#parse(roleOf);
    return this.#roles;
  }

  #parse<Value>(value: (rank: number, members: string) => Value): Map<string, Value> {
    const entries = this.#text === "" ? [] : this.#text.split(",");
    return new Map(
      entries.map((entry) => {
        const [team = "", rank = "", members = ""] = entry.split(" ");
        return [team, value(Number(rank), members)];
      }),
    );
  }
}

export const NO_TEAMS = new GivenTeams("");

/** Where a team ends that begins an entry of the text; -1 if there is none. */
function endOf(team: string, text: string): number {
  for (let at = text.indexOf(team); at >= 0; at = text.indexOf(team, at + 1)) {
    const end = at + team.length;
    if ((at === 0 || text[at - 1] === ",") && text[end] === " ") return end;
  }
  return -1;
}
