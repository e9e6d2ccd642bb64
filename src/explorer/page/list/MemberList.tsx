import type { MemberRow } from "../../wire.ts";
import { useSession } from "../session.ts";
import { wordsThatBegin } from "../words/match.ts";
import { count } from "../words/number.ts";
import { PersonCell, RoleCell } from "./columns.tsx";
import { List } from "./List.tsx";
import { listQuery, type ListProps } from "./props.ts";
import type { Column } from "./Table.tsx";

/** All members of the organization. */
export function MemberList({ address }: ListProps) {
  const { members } = useSession();
  const { q } = address;
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
      foot={(total) =>
        q === undefined
          ? `${count(total, "member")}, by member id`
          : `${count(total, "member")} with ${wordsThatBegin(q)}, by member id`
      }
      empty={
        q === undefined ? "The organization has no members." : `No name or e-mail has ${wordsThatBegin(q)}.`
      }
    />
  );
}
