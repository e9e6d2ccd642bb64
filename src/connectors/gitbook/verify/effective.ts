import { decide, type Ladder, type Level, type Subject } from "../../../domain/ladder.ts";
import { type ContentKey, contentKey, type DefaultLevel, idOf, kindOf } from "../../../domain/content.ts";
import type { Role } from "../../../domain/role.ts";
import type { RecordOf } from "../../../snapshot/records.ts";
import type { Pulled } from "../pull.ts";

export type Rule = (ladder: Ladder, subject: Subject) => Role | undefined;

/** Rolebook's own rule (docs/permissions.md). */
export const nearest: Rule = (ladder, subject) => decide(ladder, subject)?.role;

/** The effective roles in a pulled organization. Disabled members have none. */
export class Effective {
  readonly #pulled: Pulled;
  readonly #rule: Rule;
  readonly #teams = new Map<string, string[]>();

  constructor(pulled: Pulled, rule: Rule = nearest) {
    this.#pulled = pulled;
    this.#rule = rule;
    for (const [team, members] of pulled.details.teams) {
      if (!pulled.inventory.teams.has(team)) continue;
      for (const user of members.keys()) {
        const known = this.#teams.get(user);
        if (known === undefined) this.#teams.set(user, [team]);
        else known.push(team);
      }
    }
  }

  /** The members who are not disabled. */
  get members(): string[] {
    return [...this.#pulled.inventory.members].filter(([, { disabled }]) => !disabled).map(([id]) => id);
  }

  /** The roles on a content, by user. */
  on(content: ContentKey): Map<string, Role> {
    const ladder = this.#ladder(content);
    return new Map(
      this.members.flatMap((user): [string, Role][] => {
        const role = this.#decide(ladder, user);
        return role === undefined ? [] : [[user, role]];
      }),
    );
  }

  /** The roles of a member, by space. */
  of(user: string): Map<string, Role> {
    const spaces = [...this.#pulled.inventory.spaces.keys()];
    return new Map(
      spaces.flatMap((space): [string, Role][] => {
        const role = this.#decide(this.#ladder(contentKey("space", space)), user);
        return role === undefined ? [] : [[space, role]];
      }),
    );
  }

  #decide(ladder: Ladder, user: string): Role | undefined {
    const direct = new Map<ContentKey, Role>();
    for (const { content } of ladder) {
      const role = this.#pulled.details.grants.get(content)?.users.get(user);
      if (role !== undefined) direct.set(content, role);
    }
    const role = this.#pulled.inventory.members.get(user)?.role ?? null;
    return this.#rule(ladder, { role, teams: this.#teams.get(user) ?? [], direct });
  }

  #ladder(content: ContentKey): Ladder {
    const { inventory, details } = this.#pulled;
    const levels: Level[] = [];
    let at: ContentKey | undefined = content;
    while (at !== undefined) {
      const record: Content | undefined = (
        kindOf(at) === "space" ? inventory.spaces : inventory.collections
      ).get(idOf(at));
      if (record === undefined) break;
      const defaultLevel: DefaultLevel = record.defaultLevel === undefined ? "inherit" : record.defaultLevel;
      const parent: string | undefined = record.parent;
      levels.push({ content: at, defaultLevel, teams: details.grants.get(at)?.teams ?? new Map() });
      at = defaultLevel === "inherit" && parent !== undefined ? contentKey("collection", parent) : undefined;
    }
    return levels;
  }
}

type Content = RecordOf<"space"> | RecordOf<"collection">;
