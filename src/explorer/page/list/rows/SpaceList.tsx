import { useSession } from "../../session/session.ts";
import { filtered } from "../../words/filters.ts";
import { nameOf } from "../../words/names.ts";
import { count } from "../../words/number.ts";
import { ContentCell } from "../columns.tsx";
import { List } from "../List.tsx";
import { listQuery, type ListProps } from "../props.ts";
import { ShowAll } from "../ShowAll.tsx";

/** The spaces of a site. */
export function SpaceList({ address, subject }: ListProps) {
  const { spaces } = useSession();
  return (
    <List
      list={spaces.get(listQuery(address))}
      address={address}
      tabbed
      caption={`Spaces of ${nameOf(subject)}, by title`}
      columns={[
        {
          head: "Space",
          class: "c-name",
          cell: (row) => <ContentCell content={row.space} path={row.path} />,
        },
        {
          head: "Default level",
          class: "c-level",
          cell: ({ space }) => <>{space.defaultLevel ?? "closed"}</>,
        },
        { head: "Visibility", class: "c-visibility", cell: ({ space }) => <>{space.visibility}</> },
      ]}
      rowId={(row) => row.space.id}
      foot={(total) => `${count(total, "space")}${filtered(address)}, by title`}
      empty={<ShowAll address={address} none="This site has no spaces." />}
    />
  );
}
