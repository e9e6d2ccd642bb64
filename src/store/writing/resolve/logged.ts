/** Converts changed records to the form of the log: users are separate from memberships, and each value is one text. */
import { contentKey, kindOf } from "../../../domain/content.ts";
import { rank } from "../../../domain/role.ts";
import type { StoredChange, Versions } from "../change/record-change.ts";
import { encodeMemberRole } from "../../schema/encoding.ts";
import type { RecordChange } from "../../schema/record-change.ts";

/** The log entry for a changed title of the organization; none if the title did not change. */
export function renaming(was: string, becomes: string): RecordChange[] {
  return was === becomes ? [] : [{ kind: "organization", was, becomes }];
}

/** The log entries of a changed record. A member has two if both the role and the document changed. */
export function loggedOf(change: StoredChange): RecordChange[] {
  switch (change.kind) {
    case "member": {
      const names = { member: change.member };
      const role = said(change, ({ role: each }) => String(encodeMemberRole(each)));
      const user = said(change, ({ doc }) => doc);
      return [
        ...(user.was === user.becomes ? [] : [{ kind: "user" as const, ...names, ...user }]),
        ...(role.was === role.becomes ? [] : [{ kind: "member" as const, ...names, ...role }]),
      ];
    }
    case "team":
      return [{ kind: "team", team: change.team, ...said(change, ({ doc }) => doc) }];
    case "teamMember": {
      const names = { team: change.team, member: change.member };
      return [{ kind: "teamMember", ...names, ...said(change, (role) => role) }];
    }
    case "content": {
      const { content } = change;
      return [{ kind: kindOf(content), content, ...said(change, ({ doc }) => doc) }];
    }
    case "site":
      return [{ kind: "site", site: change.site, ...said(change, (title) => title) }];
    case "siteSpace": {
      const names = { site: change.site, content: contentKey("space", change.space) };
      return [{ kind: "siteSpace", ...names, ...said(change, () => "") }];
    }
    case "userGrant": {
      const names = { content: change.content, member: change.member };
      return [{ kind: "permission", ...names, ...said(change, (role) => String(rank(role))) }];
    }
    case "teamGrant": {
      const names = { content: change.content, team: change.team };
      return [{ kind: "permission", ...names, ...said(change, (role) => String(rank(role))) }];
    }
  }
}

function said<Stored>(
  { before, after }: Versions<Stored>,
  text: (stored: Stored) => string,
): Pick<RecordChange, "was" | "becomes"> {
  return {
    was: before === undefined ? undefined : text(before),
    becomes: after === undefined ? undefined : text(after),
  };
}
