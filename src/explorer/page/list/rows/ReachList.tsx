import type { ReachRow } from "../../../wire/rows.ts";
import { withDetail } from "../../session/address/address.ts";
import { useSession } from "../../session/session.ts";
import { date } from "../../words/date.ts";
import { filtered } from "../../words/filters.ts";
import { nameOf } from "../../words/names.ts";
import { count } from "../../words/number.ts";
import { ContentCell, ReasonCell, RoleCell } from "../columns.tsx";
import { List } from "../List.tsx";
import { listQuery, type ListProps } from "../props.ts";
import { ShowAll } from "../ShowAll.tsx";
import type { Column } from "../Table.tsx";

/** The spaces of a member. */
export function ReachList({ address, subject }: ListProps) {
  const { reach, walk } = useSession();
  const { role, sort, order, why } = address;
  const name = nameOf(subject) || "This member";
  const oldest = order === "asc";
  const age = oldest ? "oldest first" : "newest first";
  const strongest = sort === "strongest";
  const words = strongest ? `strongest role first, then ${age}` : age;
  const turn = () => walk.choose(withDetail(address, "order", oldest ? undefined : "asc"));
  const columns: Column<ReachRow>[] = [
    {
      head: "Space",
      class: "c-name",
      cell: (row) => <ContentCell content={row.space} path={row.path} />,
    },
    { head: "Role", class: "c-role", cell: (row) => <RoleCell role={row.role} /> },
    {
      head: (
        <button type="button" class="link" onClick={turn}>
          Created, {age}
        </button>
      ),
      class: "c-date",
      ...(!strongest && { sort: oldest ? "ascending" : "descending" }),
      cell: (row) => date(row.createdAt),
    },
    {
      head: "Why",
      class: "bec",
      cell: ({ reason, space, role }) => (
        <ReasonCell
          reason={reason}
          id={space.id}
          open={why === space.id}
          about={`${name} has ${role} on ${nameOf(space)}`}
        />
      ),
    },
  ];
  return (
    <List
      list={reach.get(listQuery(address))}
      address={address}
      tabbed
      caption={`Spaces that ${name} has a role on, ${words}`}
      columns={columns}
      rowId={(row) => row.space.id}
      selected={why}
      {...(strongest && { step: (row: ReachRow) => row.role })}
      foot={(total) => `${count(total, "space")}${filtered(address)}, ${words}`}
      empty={
        <ShowAll
          address={address}
          none={`${name} has no role on any space.`}
          role={`${name} has ${role} on no space.`}
        />
      }
    />
  );
}
