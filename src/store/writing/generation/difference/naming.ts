import { decodeMemberRole } from "../../../schema/encoding.ts";
import type { Difference } from "./differing.ts";

/** A record's name for people: its ids, each followed by its title in parentheses. */
export function nameOf(difference: Difference): string {
  const { kind, organization, member, team, content, site, was, becomes } = difference;
  const whom =
    member === undefined
      ? `team ${named(team, difference.teamTitle)}`
      : named(member, displayNameOf(difference.user));
  switch (kind) {
    case "organization":
      return named(organization, becomes);
    case "user":
    case "member":
      return whom;
    case "team":
      return named(team, difference.teamTitle);
    case "teamMember":
      return `${whom} in ${named(team, difference.teamTitle)}`;
    case "collection":
    case "space":
      return named(content, difference.contentTitle);
    case "site":
      return named(site, difference.siteTitle);
    case "siteSpace":
      return `${named(content, difference.contentTitle)} on ${named(site, difference.siteTitle)}`;
    case "permission":
      return `${decodeMemberRole(Number(was ?? becomes))} for ${whom} on ${named(content, difference.contentTitle)}`;
  }
}

/** An id, followed by its title if the title differs. */
export function named(id: string | undefined, title: string | undefined): string {
  return title === undefined || title === "" || title === id ? String(id) : `${id} (${title})`;
}

export function displayNameOf(doc: string | undefined): string | undefined {
  const user: { displayName?: unknown } = doc === undefined ? {} : JSON.parse(doc);
  return typeof user.displayName === "string" ? user.displayName : undefined;
}
