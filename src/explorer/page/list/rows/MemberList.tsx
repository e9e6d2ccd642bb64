import type { MemberRow } from "../../../wire/rows.ts";
import { useSession } from "../../session/session.ts";
import { filtered } from "../../words/filters.ts";
import { count } from "../../words/number.ts";
import { PersonCell, RoleCell } from "../columns.tsx";
import { List } from "../List.tsx";
import { listQuery, type ListProps } from "../props.ts";
import { ShowAll } from "../ShowAll.tsx";
import type { Column } from "../Table.tsx";

/** All members of the organization. */
export function MemberList({ address }: ListProps) {
  const { members } = useSession();
  const columns: Column<MemberRow>[] = [
    { head: "Member", class: "c-name", cell: (row) => <PersonCell user={row.user} /> },
    { head: "Organization role", class: "c-role", cell: (row) => <RoleCell role={row.role} /> },
    { head: "Id", class: "c-id", cell: (row) => <code>{row.user.id}</code> },
  ];
  return (
    <List
      list={members.get(listQuery(address))}
      address={address}
      tabbed={false}
      caption="Members of the organization"
      columns={columns}
      rowId={(row) => row.user.id}
      foot={(total) => `${count(total, "member")}${filtered(address)}, by member id`}
      empty={<ShowAll address={address} none="The organization has no members." />}
    />
  );
}
