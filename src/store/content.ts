import type { Level } from "../domain/access.ts";
import type { ContentKey, DefaultLevel } from "../domain/content.ts";
import { type Role, roleOf } from "../domain/role.ts";
import { decodeContent, decodeDefaultLevel } from "./codes.ts";

/** The columns of a content that its level of the ladder is made of. */
export type LevelRow = [
  parent: string | null,
  title: string,
  defaultLevel: number,
  direct: string,
  teams: string,
];

const ZERO = "0".charCodeAt(0);

type Teams = ReadonlyMap<string, Role>;

const NO_TEAMS: Teams = new Map();
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
  readonly #direct: string;
  readonly #teams: string;
  #roles: Teams | undefined;
  #sizes: ReadonlyMap<string, number> | undefined;

  constructor(content: ContentKey, [parent, title, defaultLevel, direct, teams]: LevelRow) {
    this.content = content;
    this.title = title;
    this.parent = parent === null ? undefined : decodeContent(parent);
    this.defaultLevel = decodeDefaultLevel(defaultLevel);
    this.hasDirect = direct !== NO_DIRECT;
    this.#direct = direct;
    this.#teams = teams;
  }

  /** Team permissions on this content: team id to role. */
  get teams(): Teams {
    this.#roles ??= this.#teams === "" ? NO_TEAMS : this.#parse(roleOf);
    return this.#roles;
  }

  /** How many members the teams have that hold a permission here. */
  get teamSizes(): ReadonlyMap<string, number> {
    this.#sizes ??= this.#parse((_, members) => Number(members));
    return this.#sizes;
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
    return 500 + 10 * this.#teams.length;
  }

  /**
   * Reads "docs 4 12,support 1 30": team, rank of its role (one digit), members. By position rather than by `split`:
   * a page of a member's spaces reads some hundred of these.
   */
  #parse<Value>(value: (rank: number, members: string) => Value): Map<string, Value> {
    const text = this.#teams;
    const parsed = new Map<string, Value>();
    for (let at = 0; at < text.length;) {
      const rank = text.indexOf(" ", at) + 1;
      const comma = text.indexOf(",", rank);
      const end = comma < 0 ? text.length : comma;
      parsed.set(text.slice(at, rank - 1), value(text.charCodeAt(rank) - ZERO, text.slice(rank + 2, end)));
      at = end + 1;
    }
    return parsed;
  }
}
