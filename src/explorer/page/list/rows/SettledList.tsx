import { useSession } from "../../session/session.ts";
import { filtered } from "../../words/filters.ts";
import { count } from "../../words/number.ts";
import { SETTINGS } from "../../words/settings.ts";
import { ContentCell } from "../columns.tsx";
import { List } from "../List.tsx";
import { listQuery, type ListProps } from "../props.ts";
import { ShowAll } from "../ShowAll.tsx";

/** The contents with a setting that deserves a review. */
export function SettledList({ address }: ListProps) {
  const { settled } = useSession();
  return (
    <List
      list={settled.get(listQuery(address))}
      address={address}
      tabbed={false}
      caption={SETTINGS[address.show ?? "closed"] ?? "Contents"}
      columns={[
        {
          head: "Content",
          class: "c-name",
          cell: (row) => <ContentCell content={row.content} path={row.path} />,
        },
        {
          head: "Default level",
          class: "c-role",
          cell: ({ content }) => <>{content.defaultLevel ?? "closed"}</>,
        },
        { head: "Kind", class: "c-kind", cell: ({ content }) => <>{content.kind}</> },
      ]}
      rowId={({ content }) => `${content.kind}/${content.id}`}
      foot={(total) => `${count(total, "content")}${filtered(address)}, collections first, by title`}
      empty={<ShowAll address={address} none="There is none." />}
    />
  );
}
