import type { ReachRow } from "../../../wire/rows.ts";
import { withDetail } from "../../session/address/address.ts";
import { useSession } from "../../session/session.ts";
import { date } from "../../words/date.ts";
import { filtered } from "../../words/filters.ts";
import { nameOf } from "../../words/names.ts";
import { count } from "../../words/number.ts";
import { ReasonCell, ROLE, SPACE } from "../columns.tsx";
import { List } from "../List.tsx";
import type { ListProps } from "../props.ts";
import type { Column } from "../Table.tsx";
import { Button } from "../../parts/controls/Button.tsx";

export function ReachList({ address, subject }: ListProps) {
  const { walk } = useSession();
  const { role, sort, order, why } = address;
  const name = nameOf(subject) || "This member";
  const oldest = order === "asc";
  const age = oldest ? "oldest first" : "newest first";
  const strongest = sort === "strongest";
  const words = strongest ? `strongest role first, then ${age}` : age;
  const turn = () => walk.choose(withDetail(address, "order", oldest ? undefined : "asc"));
  const columns: Column<ReachRow>[] = [
    SPACE,
    ROLE,
    {
      head: <Button onClick={turn}>Created, {age}</Button>,
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
    <List<ReachRow>
      address={address}
      caption={`Spaces that ${name} has a role on, ${words}`}
      columns={columns}
      rowId={(row) => row.space.id}
      selected={why}
      step={(row) => (strongest ? row.role : "")}
      foot={(total) => `${count(total, "space")}${filtered(address)}, ${words}`}
      empty={`${name} has no role on any space.`}
      emptyRole={`${name} has ${role} on no space.`}
    />
  );
}
