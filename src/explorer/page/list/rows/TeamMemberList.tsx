import type { TeamMemberRow } from "../../../wire/rows.ts";
import { filtered } from "../../words/filters.ts";
import { nameOf } from "../../words/names.ts";
import { count } from "../../words/number.ts";
import { MEMBER, ROLE } from "../columns.tsx";
import { List } from "../List.tsx";
import type { ListProps } from "../props.ts";

export function TeamMemberList({ address, subject }: ListProps) {
  return (
    <List<TeamMemberRow>
      address={address}
      caption={`Members of team ${nameOf(subject)}`}
      columns={[MEMBER, { ...ROLE, head: "Role in the team" }]}
      rowId={(row) => row.user.id}
      foot={(total) => `${count(total, "member")}${filtered(address)}, by member id`}
      empty="This team has no members."
    />
  );
}
