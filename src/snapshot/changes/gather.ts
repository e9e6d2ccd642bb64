import { type ContentKey, contentKey, kindOf } from "../../domain/content.ts";
import { Edits, type FileEntry, type FileEntries } from "../../store/writing/resolve/edits.ts";
import { pairOf } from "../../store/writing/resolve/pair.ts";
import { show } from "../problem.ts";
import { isEnd } from "../records.ts";
import { storedContent, storedTeam, storedUser } from "../staging.ts";
import { type ChangeFileRecord, type Header, isHeader, isRemoval } from "./records.ts";

type Edit = Exclude<ChangeFileRecord, Header | { object: "end" }>;

const HEADER_ACCEPTED =
  'accepted: {"object":"changes","organization":ID} as the first record, and only there';

/** Groups the records of a change file by key. */
export class Gathering {
  #first = true;
  #header: Header | undefined;
  #edits = new Edits("");
  get header(): Header | undefined {
    return this.#header;
  }

  get edits(): Edits {
    return this.#edits;
  }

  /** Adds a valid record. Returns a message if it conflicts with an earlier one. `where` names a line in messages. */
  take(record: ChangeFileRecord, line: number, where: (line: number) => string): string | undefined {
    const first = this.#first;
    this.#first = false;
    if (isHeader(record)) {
      if (!first) return `there is a header after other records; ${HEADER_ACCEPTED}`;
      this.#header = record;
      this.#edits = new Edits(record.organization);
      return undefined;
    }
    if (first) return `the first record is ${show(record.object)}; ${HEADER_ACCEPTED}`;
    if (isEnd(record) || this.#header === undefined) return undefined;
    const own = this.#header.organization;
    const named = organizationOf(record);
    if (named !== undefined && named !== own) {
      const field = record.object === "organization" ? "id" : "organization";
      return `${record.object}.${field} is ${show(named)}; accepted: ${own}, whose changes these are`;
    }
    return this.#put(record, line, where);
  }

  #put(record: Edit, line: number, where: (line: number) => string): string | undefined {
    const edits = this.#edits;
    const put = <Stored, Key extends string>(
      all: FileEntries<Stored, Key>,
      key: Key,
      becomes: Stored | undefined,
      field: string,
      value: string,
      what: string,
    ): string | undefined => {
      const before = all.get(key);
      if (before !== undefined) return again(field, value, what, where(before.line));
      const withAll = "with" in record && record.with === "all";
      const said: FileEntry<Stored> = { line, becomes, withAll };
      all.set(key, said);
      return undefined;
    };
    const removed = isRemoval(record);
    switch (record.object) {
      case "organization": {
        const before = edits.title;
        if (before !== undefined)
          return again("organization.id", record.id, "organization", where(before.line));
        edits.title = { line, title: record.title };
        return undefined;
      }
      case "user": {
        const before = edits.users.get(record.id);
        if (before !== undefined) return again("user.id", record.id, "user id", where(before.line));
        edits.users.set(record.id, { ...storedUser(record), line });
        return undefined;
      }
      case "member": {
        const becomes = removed ? undefined : { role: record.role };
        return put(edits.members, record.user, becomes, "member.user", record.user, "member");
      }
      case "team": {
        const becomes = removed ? undefined : storedTeam(record);
        return put(edits.teams, record.id, becomes, "team.id", record.id, "team id");
      }
      case "teamMember": {
        const pair = pairOf(record.team, record.user);
        const becomes = removed ? undefined : record.role;
        return put(edits.teamMembers, pair, becomes, "teamMember.user", record.user, "pair of team and user");
      }
      case "collection":
      case "space": {
        const key = contentKey(record.object, record.id);
        const becomes = removed ? undefined : storedContent(record);
        return put(edits.contents, key, becomes, `${record.object}.id`, record.id, `${record.object} id`);
      }
      case "site":
        return put(
          edits.sites,
          record.id,
          removed ? undefined : record.title,
          "site.id",
          record.id,
          "site id",
        );
      case "siteSpace": {
        const pair = pairOf(record.site, record.space);
        const becomes = removed ? undefined : true;
        return put(
          edits.siteSpaces,
          pair,
          becomes,
          "siteSpace.space",
          record.space,
          "pair of site and space",
        );
      }
      case "permission": {
        const content = contentOf(record);
        const becomes = removed ? undefined : record.permission;
        const what = (grantee: string) => `pair of ${kindOf(content)} and ${grantee}`;
        const { user, team = "" } = record;
        return user === undefined
          ? put(edits.teamGrants, pairOf(content, team), becomes, "permission.team", team, what("team"))
          : put(edits.userGrants, pairOf(content, user), becomes, "permission.user", user, what("user"));
      }
    }
  }
}

function contentOf({ space, collection }: { space?: string; collection?: string }): ContentKey {
  return space === undefined ? contentKey("collection", collection ?? "") : contentKey("space", space);
}

function organizationOf(record: Edit): string | undefined {
  if (record.object === "organization") return record.id;
  return "organization" in record ? record.organization : undefined;
}

function again(field: string, value: string, what: string, first: string): string {
  return `${field} is ${show(value)} a second time, first at ${first}; accepted: each ${what} once in a change file`;
}
