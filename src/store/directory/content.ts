import type { Level } from "../../domain/ladder.ts";
import type { ContentKey } from "../../domain/content.ts";
import type { Role } from "../../domain/role.ts";

/** A content as a revision has it: a rung of the ladder, with its title and where it lies. */
export interface Content extends Level {
  readonly title: string;
  readonly parent: ContentKey | undefined;
  /** What teams hold on it: ids, ascending, with their roles. */
  readonly teams: ReadonlyMap<string, Role>;
}
