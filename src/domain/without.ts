/** A source to remove, in order to see who would lose or gain access. */
import { type ContentKey, contentKey, idOf, kindOf } from "./content.ts";
import type { Level, MemberRights } from "./ladder.ts";
import { commandLine } from "./text.ts";

export type Without =
  | { readonly of: "user"; readonly user: string; readonly content: ContentKey }
  | { readonly of: "grant"; readonly team: string; readonly content: ContentKey }
  | { readonly of: "team"; readonly team: string }
  /** The default level of a content, which becomes `inherit`. */
  | { readonly of: "default"; readonly content: ContentKey };

/** What {@link readWithout} accepts, for error messages. */
export const WITHOUT_SPELLING =
  "team/ID, team/ID@CONTENT, user/ID@CONTENT or default@CONTENT, with CONTENT as space/ID or collection/ID";

/**
 * Parses {@link WITHOUT_SPELLING}; `undefined` for any other text. The content begins at the last `@space/` or
 * `@collection/`. In ids, `%40` is `@` and `%25` is `%`; a user id may also contain `@` itself.
 */
export function readWithout(text: string): Without | undefined {
  const at = Math.max(text.lastIndexOf("@space/"), text.lastIndexOf("@collection/"));
  const source = at < 0 ? text : text.slice(0, at);
  const content = at < 0 ? undefined : contentOf(text.slice(at + 1));
  if (source === "default") return content === undefined ? undefined : { of: "default", content };
  const id = decoded(source.slice(source.indexOf("/") + 1));
  if (id === "") return undefined;
  if (source.startsWith("team/")) {
    if (at < 0) return { of: "team", team: id };
    return content === undefined ? undefined : { of: "grant", team: id, content };
  }
  if (!source.startsWith("user/") || content === undefined) return undefined;
  return { of: "user", user: id, content };
}

export function writeWithout(without: Without): string {
  const where = "content" in without ? `@${kindOf(without.content)}/${encoded(idOf(without.content))}` : "";
  if (without.of === "default") return `default${where}`;
  if (without.of === "user") return `user/${encoded(without.user)}${where}`;
  return `team/${encoded(without.team)}${where}`;
}

/** The command that shows the effect of removing a source. */
export function withoutCommand(without: Without): string {
  return commandLine("rolebook", "without", writeWithout(without));
}

function contentOf(text: string): ContentKey | undefined {
  const slash = text.indexOf("/");
  const id = decoded(text.slice(slash + 1));
  if (id === "") return undefined;
  return contentKey(text.startsWith("space/") ? "space" : "collection", id);
}

function encoded(id: string): string {
  return id.replaceAll("%", "%25").replaceAll("@", "%40");
}

function decoded(id: string): string {
  return id.replaceAll("%40", "@").replaceAll("%25", "%");
}

/** What a state lacks: a source, or with `closing`, the default level of a content, which becomes `null`. */
export type Removal = Without | { readonly of: "closing"; readonly content: ContentKey };

/**
 * The ladder without what is removed. `ancestry` is the content and all its ancestors, including those from which it
 * does not inherit: without a default level the ladder may become longer. A direct permission concerns one user and is
 * not part of the ladder.
 */
export function ladderWithout<Rung extends Level>(
  ancestry: readonly Rung[],
  removed: readonly Removal[],
): Rung[] {
  const levels = ancestry.map((level) => levelWithout(level, removed));
  const end = levels.findIndex(({ defaultLevel }) => defaultLevel !== "inherit");
  return end < 0 ? levels : levels.slice(0, end + 1);
}

/** The level without what is removed; the same object if nothing is removed from this level. */
export function levelWithout<Rung extends Level>(level: Rung, removed: readonly Removal[]): Rung {
  const teams = new Map(level.teams);
  let { defaultLevel } = level;
  for (const each of removed) {
    if ("content" in each && each.content !== level.content) continue;
    if ("team" in each) teams.delete(each.team);
    else if (each.of === "default") defaultLevel = "inherit";
    else if (each.of === "closing") defaultLevel = null;
  }
  const isSame = teams.size === level.teams.size && defaultLevel === level.defaultLevel;
  return isSame ? level : { ...level, teams, defaultLevel };
}

export function memberWithout<Known extends MemberRights>(
  id: string,
  member: Known,
  removed: readonly Removal[],
): Known {
  const teams = new Set(member.teams);
  const direct = new Map(member.direct);
  for (const each of removed) {
    if (each.of === "team") teams.delete(each.team);
    else if (each.of === "user" && each.user === id) direct.delete(each.content);
  }
  return { ...member, teams: [...teams], direct };
}
