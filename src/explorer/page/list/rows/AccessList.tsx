import { useSession } from "../../session/session.ts";
import { filtered } from "../../words/filters.ts";
import { nameOf } from "../../words/names.ts";
import { count } from "../../words/number.ts";
import { PersonCell, ReasonCell, RoleCell } from "../columns.tsx";
import { List } from "../List.tsx";
import { listQuery, type ListProps } from "../props.ts";
import { ShowAll } from "../ShowAll.tsx";

/** Everyone with access, or the people with direct permissions here. */
export function AccessList({ address, subject }: ListProps) {
  const { access } = useSession();
  const { view, tab, role, sort, why } = address;
  const people = tab === "people";
  const where = view === "site" ? "on any of this site’s spaces" : `on this ${view}`;
  const byId = role !== undefined || sort === "id";
  const order = byId ? "by member id" : "strongest role first, then by member id";
  return (
    <List
      list={access.get(listQuery(address))}
      address={address}
      tabbed
      caption={`${people ? "People with a direct permission on" : "Everyone with access to"} ${nameOf(subject)}, ${byId ? "by member id" : "strongest role first"}`}
      columns={[
        { head: "Member", class: "c-name", cell: (row) => <PersonCell user={row.user} /> },
        { head: "Role", class: "c-role", cell: (row) => <RoleCell role={row.role} /> },
        {
          head: "Why",
          class: "bec",
          cell: ({ reason, user, role }) => (
            <ReasonCell
              reason={reason}
              id={user.id}
              open={why === user.id}
              about={`${nameOf(user)} has ${role}`}
            />
          ),
        },
      ]}
      rowId={(row) => row.user.id}
      step={(row) => row.role}
      selected={why}
      foot={(total) =>
        `${people ? `${count(total, "person", "people")} with a direct permission` : count(total, "member")}${filtered(address)}, ${order}`
      }
      empty={
        <ShowAll
          address={address}
          role={`No one has ${role} here.`}
          none={people ? `No person has a direct permission on this ${view}.` : `No one has a role ${where}.`}
        />
      }
    />
  );
}
