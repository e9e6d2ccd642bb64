import type { Level } from "../../domain/ladder.ts";
import type { ContentKey } from "../../domain/content.ts";
import type { Role } from "../../domain/role.ts";

/** A content as of a revision: a level of the ladder, with its title and its parent. */
export interface Content extends Level {
  readonly title: string;
  readonly parent: ContentKey | undefined;
  /** The content's team grants: team ids, ascending, with their roles. */
  readonly teams: ReadonlyMap<string, Role>;
}
