/** Converts changed records to the form of the log: users are separate from memberships, and each value is one text. */
import { kindOf } from "../../../domain/content.ts";
import { rank } from "../../../domain/role.ts";
import type { RecordChange, Versions } from "../change/record-change.ts";
import { encodeMemberRole } from "../../schema/encoding.ts";
import type { Difference } from "../generation/difference.ts";

export type LoggedChange = Pick<
  Difference,
  "kind" | "member" | "team" | "content" | "site" | "was" | "becomes"
>;

export function keyOf({
  kind,
  member,
  team,
  content,
  site,
}: Pick<LoggedChange, "kind"> & Partial<LoggedChange>): string {
  return JSON.stringify([kind, member, team, content, site]);
}

const NAMES = { member: undefined, team: undefined, content: undefined, site: undefined };

/** The log entry for a changed title of the organization; none if the title did not change. */
export function renaming(was: string, becomes: string): LoggedChange[] {
  return was === becomes ? [] : [{ kind: "organization", ...NAMES, was, becomes }];
}

/** The log entries of a changed record. A member has two if both the role and the document changed. */
export function loggedOf(change: RecordChange): LoggedChange[] {
  switch (change.kind) {
    case "member": {
      const names = { ...NAMES, member: change.member };
      const role = said(change, ({ role: each }) => String(encodeMemberRole(each)));
      const user = said(change, ({ doc }) => doc);
      return [
        ...(user.was === user.becomes ? [] : [{ kind: "user" as const, ...names, ...user }]),
        ...(role.was === role.becomes ? [] : [{ kind: "member" as const, ...names, ...role }]),
      ];
    }
    case "team":
      return [{ kind: "team", ...NAMES, team: change.team, ...said(change, ({ doc }) => doc) }];
    case "teamMember": {
      const names = { ...NAMES, team: change.team, member: change.member };
      return [{ kind: "teamMember", ...names, ...said(change, (role) => role) }];
    }
    case "content": {
      const { content } = change;
      return [{ kind: kindOf(content), ...NAMES, content, ...said(change, ({ doc }) => doc) }];
    }
    case "site":
      return [{ kind: "site", ...NAMES, site: change.site, ...said(change, (title) => title) }];
    case "siteSpace": {
      const names = { ...NAMES, site: change.site, content: `space/${change.space}` };
      return [{ kind: "siteSpace", ...names, ...said(change, () => "") }];
    }
    case "userGrant": {
      const names = { ...NAMES, content: change.content, member: change.member };
      return [{ kind: "permission", ...names, ...said(change, (role) => String(rank(role))) }];
    }
    case "teamGrant": {
      const names = { ...NAMES, content: change.content, team: change.team };
      return [{ kind: "permission", ...names, ...said(change, (role) => String(rank(role))) }];
    }
  }
}

function said<Stored>(
  { before, after }: Versions<Stored>,
  text: (stored: Stored) => string,
): Pick<LoggedChange, "was" | "becomes"> {
  return {
    was: before === undefined ? undefined : text(before),
    becomes: after === undefined ? undefined : text(after),
  };
}
