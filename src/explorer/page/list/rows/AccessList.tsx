import type { AccessRow } from "../../../wire/rows.ts";
import { filtered } from "../../words/filters.ts";
import { nameOf } from "../../words/names.ts";
import { count } from "../../words/number.ts";
import { MEMBER, ReasonCell, ROLE } from "../columns.tsx";
import { List } from "../List.tsx";
import type { ListProps } from "../props.ts";

/** Everybody with access to the subject, or the people with a direct permission on it. */
export function AccessList({ address, subject }: ListProps) {
  const { view, tab, role, sort, why } = address;
  const people = tab === "people";
  const where = view === "site" ? "on any of this site’s spaces" : `on this ${view}`;
  const byId = role !== undefined || sort === "id";
  const order = byId ? "by member id" : "strongest role first, then by member id";
  return (
    <List<AccessRow>
      address={address}
      caption={`${people ? "People with a direct permission on" : "Everyone with access to"} ${nameOf(subject)}, ${byId ? "by member id" : "strongest role first"}`}
      columns={[
        MEMBER,
        ROLE,
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
      empty={people ? `No person has a direct permission on this ${view}.` : `No one has a role ${where}.`}
      emptyRole={`No one has ${role} here.`}
    />
  );
}
