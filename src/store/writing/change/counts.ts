import { kindOf } from "../../../domain/content.ts";
import type { Counts } from "../../reading.ts";
import type { StoredChange } from "./record-change.ts";

type Changeable = { -readonly [Field in keyof Counts]: Counts[Field] } & {
  roles: Record<keyof Counts["roles"], number>;
};

export function countsAfter(counts: Counts, changes: readonly StoredChange[]): Counts {
  const after: Changeable = { ...counts, roles: { ...counts.roles } };
  for (const change of changes) {
    const more = Number(change.after !== undefined) - Number(change.before !== undefined);
    switch (change.kind) {
      case "member":
        after.members += more;
        if (change.before !== undefined) after.roles[change.before.role ?? "guest"]--;
        if (change.after !== undefined) after.roles[change.after.role ?? "guest"]++;
        break;
      case "team":
        after.teams += more;
        break;
      case "teamMember":
        after.teamMembers += more;
        break;
      case "content":
        after[kindOf(change.content) === "space" ? "spaces" : "collections"] += more;
        break;
      case "site":
        after.sites += more;
        break;
      case "siteSpace":
        after.siteSpaces += more;
        break;
      case "userGrant":
      case "teamGrant":
        after.permissions += more;
        break;
    }
  }
  return after;
}
