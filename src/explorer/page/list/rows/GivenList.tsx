import { contentKey } from "../../../../domain/content.ts";
import { WithoutGrant } from "../../views/differences/Tools.tsx";
import { useSession } from "../../session/session.ts";
import { filtered } from "../../words/filters.ts";
import { nameOf } from "../../words/names.ts";
import { count } from "../../words/number.ts";
import { ContentCell, RoleCell } from "../columns.tsx";
import { List } from "../List.tsx";
import { listQuery, type ListProps } from "../props.ts";
import { ShowAll } from "../ShowAll.tsx";

/** The permissions of a team. */
export function GivenList({ address, subject }: ListProps) {
  const { given } = useSession();
  return (
    <List
      list={given.get(listQuery(address))}
      address={address}
      tabbed
      caption={`Permissions of team ${nameOf(subject)}, strongest role first`}
      columns={[
        {
          head: "Content",
          class: "c-name",
          cell: (row) => <ContentCell content={row.content} path={row.path} />,
        },
        { head: "Role", class: "c-role", cell: (row) => <RoleCell role={row.role} /> },
        { head: "Kind", class: "c-kind", cell: (row) => <>{row.content.kind}</> },
        {
          head: "What if",
          class: "c-without",
          cell: ({ content }) => (
            <WithoutGrant
              team={address.id}
              content={contentKey(content.kind, content.id)}
              about={nameOf(content)}
            />
          ),
        },
      ]}
      rowId={(row) => `${row.content.kind}/${row.content.id}`}
      step={(row) => row.role}
      foot={(total) => `${count(total, "permission")}${filtered(address)}, strongest role first`}
      empty={<ShowAll address={address} none="This team was given no permission." />}
    />
  );
}
