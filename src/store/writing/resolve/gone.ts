/** Adds the removals that a whole file implies: of stored records that the file lacks. */
import { idOf } from "../../../domain/content.ts";
import type { RecordNames } from "../../schema/record-change.ts";
import type { Edits, FileEntry } from "./edits.ts";
import { pairOf } from "./pair.ts";

/**
 * Adds the removal of records to `edits`. Returns false if a change cannot remove one of them: an organization, or the
 * user record of a member who stays.
 */
export function removeRecords(edits: Edits, keys: readonly RecordNames[]): boolean {
  const users = new Set<string>();
  for (const key of keys) {
    if (key.kind === "organization") return false;
    if (key.kind === "user") users.add(key.member ?? "");
    else remove(edits, key);
  }
  const members = [...edits.members].filter(([, { becomes }]) => becomes === undefined);
  return members.length === users.size && members.every(([id]) => users.has(id));
}

function remove(edits: Edits, { kind, member = "", team = "", content, site = "" }: RecordNames): void {
  const gone: FileEntry<never> = { line: 0, becomes: undefined, withAll: false };
  switch (kind) {
    case "member":
      edits.members.set(member, gone);
      break;
    case "team":
      edits.teams.set(team, gone);
      break;
    case "teamMember":
      edits.teamMembers.set(pairOf(team, member), gone);
      break;
    case "collection":
    case "space":
      edits.contents.set(content ?? "space/", gone);
      break;
    case "site":
      edits.sites.set(site, gone);
      break;
    case "siteSpace":
      edits.siteSpaces.set(pairOf(site, idOf(content ?? "space/")), gone);
      break;
    case "permission":
      if (member === "") edits.teamGrants.set(pairOf(content ?? "", team), gone);
      else edits.userGrants.set(pairOf(content ?? "", member), gone);
  }
}
