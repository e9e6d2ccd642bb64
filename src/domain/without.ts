/** A source to remove, in order to see who would lose or gain access. */
import { type ContentKey, contentKey, idOf, kindOf } from "./content.ts";
import type { Level, MemberRights, SiteLevel } from "./ladder.ts";
import { commandLine } from "./text.ts";

export type Without =
  | { readonly of: "user"; readonly user: string; readonly content: ContentKey }
  | { readonly of: "grant"; readonly team: string; readonly content: ContentKey }
  | { readonly of: "team"; readonly team: string }
  /** The default level of a content, which becomes `inherit`. */
  | { readonly of: "default"; readonly content: ContentKey }
  /** What a site says: everything, its default level, or the permission of a team or a user. */
  | { readonly of: "site"; readonly site: string; readonly what: OnSite };

export type OnSite = "everything" | "default" | { readonly team: string } | { readonly user: string };

/** What {@link readWithout} accepts, for error messages. */
export const WITHOUT_SPELLING =
  "team/ID, team/ID@CONTENT, user/ID@CONTENT or default@CONTENT, with CONTENT as space/ID, collection/ID or site/ID; or site/ID";

/**
 * Parses {@link WITHOUT_SPELLING}; `undefined` for any other text. The content begins at the last `@space/`,
 * `@collection/` or `@site/`. In ids, `%40` is `@` and `%25` is `%`; a user id may also contain `@` itself.
 */
export function readWithout(text: string): Without | undefined {
  const at = Math.max(...["@space/", "@collection/", "@site/"].map((mark) => text.lastIndexOf(mark)));
  const source = at < 0 ? text : text.slice(0, at);
  if (text.startsWith("site/", at + 1)) {
    const what = at < 0 ? "everything" : onSiteIn(source);
    const site = decoded(text.slice(at + 1 + "site/".length));
    return site === "" || what === undefined ? undefined : { of: "site", site, what };
  }
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

function onSiteIn(source: string): OnSite | undefined {
  if (source === "default") return "default";
  const id = decoded(source.slice(source.indexOf("/") + 1));
  if (id === "") return undefined;
  if (source.startsWith("team/")) return { team: id };
  return source.startsWith("user/") ? { user: id } : undefined;
}

export function writeWithout(without: Without): string {
  if (without.of === "site") {
    const { what, site } = without;
    const where = `site/${encoded(site)}`;
    if (what === "everything") return where;
    if (what === "default") return `default@${where}`;
    return "team" in what ? `team/${encoded(what.team)}@${where}` : `user/${encoded(what.user)}@${where}`;
  }
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
  const sites = removed.some(({ of }) => of === "site")
    ? level.sites?.map((site) => siteWithout(site, removed))
    : level.sites;
  const teams = new Map(level.teams);
  let { defaultLevel } = level;
  for (const each of removed) {
    if (each.of === "site" || ("content" in each && each.content !== level.content)) continue;
    if ("team" in each) teams.delete(each.team);
    else if (each.of === "default") defaultLevel = "inherit";
    else if (each.of === "closing") defaultLevel = null;
  }
  const isSame =
    teams.size === level.teams.size && defaultLevel === level.defaultLevel && sites === level.sites;
  return isSame ? level : { ...level, teams, defaultLevel, ...(sites === undefined ? {} : { sites }) };
}

function siteWithout(site: SiteLevel, removed: readonly Removal[]): SiteLevel {
  const teams = new Map(site.teams);
  let { defaultLevel } = site;
  for (const each of removed) {
    if (each.of !== "site" || each.site !== site.site) continue;
    const { what } = each;
    if (what === "everything") teams.clear();
    else if (what !== "default" && "team" in what) teams.delete(what.team);
    if (what === "everything" || what === "default") defaultLevel = "inherit";
  }
  return { ...site, teams, defaultLevel };
}

export function memberWithout<Known extends MemberRights>(
  id: string,
  member: Known,
  removed: readonly Removal[],
): Known {
  const teams = new Set(member.teams);
  const direct = new Map(member.direct);
  const directOnSites = new Map(member.directOnSites);
  for (const each of removed) {
    if (each.of === "team") teams.delete(each.team);
    else if (each.of === "user" && each.user === id) direct.delete(each.content);
    else if (each.of === "site") {
      const { what, site } = each;
      const isOwn = what === "everything" || (typeof what === "object" && "user" in what && what.user === id);
      if (isOwn) directOnSites.delete(site);
    }
  }
  return { ...member, teams: [...teams], direct, directOnSites };
}
