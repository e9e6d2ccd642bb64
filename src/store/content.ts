import type { Level } from "../domain/access.ts";
import type { ContentKey, DefaultLevel } from "../domain/content.ts";
import type { Role } from "../domain/role.ts";
import { decodeContent, decodeDefaultLevel } from "./codes.ts";
import { GivenTeams, NO_TEAMS } from "./given-teams.ts";

/** The columns of a content that its level of the ladder is made of. */
export type LevelRow = [
  parent: string | null,
  title: string,
  defaultLevel: number,
  direct: string,
  teams: string,
];

/** What the import writes where nobody holds anything directly. */
const NO_DIRECT = "0 0 0 0 0 0";

/**
 * A content as it lies in a snapshot: a rung of the ladder, and how large its sources are. Pages hold many and ask
 * little of each, so what is stored as text is read when it is asked for.
 */
export class Content implements Level {
  readonly content: ContentKey;
  readonly title: string;
  readonly parent: ContentKey | undefined;
  readonly defaultLevel: DefaultLevel;
  /** Whether any user holds a permission on this very content. */
  readonly hasDirect: boolean;
  readonly teams: GivenTeams;
  readonly #direct: string;

  constructor(content: ContentKey, [parent, title, defaultLevel, direct, teams]: LevelRow) {
    this.content = content;
    this.title = title;
    this.parent = parent === null ? undefined : decodeContent(parent);
    this.defaultLevel = decodeDefaultLevel(defaultLevel);
    this.hasDirect = direct !== NO_DIRECT;
    this.#direct = direct;
    this.teams = teams === "" ? NO_TEAMS : new GivenTeams(teams);
  }

  /** How many users hold each role directly here. */
  get direct(): Readonly<Record<Role, number>> {
    const [read = 0, comment = 0, edit = 0, review = 0, create = 0, admin = 0] = this.#direct
      .split(" ")
      .map(Number);
    return { read, comment, edit, review, create, admin };
  }

  /** About how many bytes this takes in memory. */
  get bytes(): number {
    return 500 + this.teams.bytes;
  }
}
