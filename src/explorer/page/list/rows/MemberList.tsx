import type { MemberRow } from "../../../wire/rows.ts";
import { filtered } from "../../words/filters.ts";
import { count } from "../../words/number.ts";
import { MEMBER, PersonCell, ROLE } from "../columns.tsx";
import { List } from "../List.tsx";
import type { ListProps } from "../props.ts";

export function MemberList({ address }: ListProps) {
  return (
    <List<MemberRow>
      address={address}
      caption="Members of the organization"
      columns={[
        // No mark for guests: the column beside this one names them.
        { ...MEMBER, cell: ({ user }) => <PersonCell user={user} tagged={false} /> },
        { ...ROLE, head: "Organization role" },
        { head: "Id", class: "c-id", cell: (row) => <code>{row.user.id}</code> },
      ]}
      rowId={(row) => row.user.id}
      foot={(total) => `${count(total, "member")}${filtered(address)}, by member id`}
      empty="The organization has no members."
    />
  );
}
