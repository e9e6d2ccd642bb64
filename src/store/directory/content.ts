import type { Level } from "../../domain/ladder.ts";
import type { ContentKey } from "../../domain/content.ts";
import type { Role } from "../../domain/role.ts";

export interface Content extends Level {
  readonly title: string;
  readonly parent: ContentKey | undefined;
  /** The roles of the content's team grants, by team id, ascending. */
  readonly teams: ReadonlyMap<string, Role>;
}
