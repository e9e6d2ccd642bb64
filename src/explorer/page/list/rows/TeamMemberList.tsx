import { useSession } from "../../session/session.ts";
import { filtered } from "../../words/filters.ts";
import { nameOf } from "../../words/names.ts";
import { count } from "../../words/number.ts";
import { PersonCell, RoleCell } from "../columns.tsx";
import { List } from "../List.tsx";
import { listQuery, type ListProps } from "../props.ts";
import { ShowAll } from "../ShowAll.tsx";

/** The members of a team. */
export function TeamMemberList({ address, subject }: ListProps) {
  const { teamMembers } = useSession();
  return (
    <List
      list={teamMembers.get(listQuery(address))}
      address={address}
      tabbed
      caption={`Members of team ${nameOf(subject)}`}
      columns={[
        { head: "Member", class: "c-name", cell: (row) => <PersonCell user={row.user} /> },
        { head: "Role in the team", class: "c-role", cell: (row) => <RoleCell role={row.role} /> },
      ]}
      rowId={(row) => row.user.id}
      foot={(total) => `${count(total, "member")}${filtered(address)}, by member id`}
      empty={<ShowAll address={address} none="This team has no members." />}
    />
  );
}
