import { RoleCell } from "../../list/columns.tsx";
import { NameLink } from "../../parts/NameLink.tsx";
import type { Address } from "../../session/address/address.ts";
import type { Cells } from "../../session/ask/groupedRows.ts";
import { useSession } from "../../session/session.ts";
import { ListPage } from "../ListPage.tsx";
import { ContentOf, GroupList, ReasonOf, UserOf } from "./GroupList.tsx";
import { findingWords, ReadFindings } from "./Tidy.tsx";

export function TidyView({ address }: { address: Address }) {
  const { tidy } = useSession();
  const { show = "redundant" } = address;
  const title = findingWords(show);
  return (
    <ListPage
      address={address}
      of={`tidy ${show}`}
      heading={title}
      title={title}
      bar={<ReadFindings of={tidy} />}
    >
      <GroupList
        of={tidy}
        group={show}
        address={address}
        caption={title}
        columns={[
          {
            head: "What",
            class: "c-name",
            cell: (cells) => (cells[1] ? <ContentOf cells={cells} /> : who(cells)),
          },
          { head: "Who", class: "c-member", cell: (cells) => cells[1] && who(cells) },
          { head: "Role", class: "c-role", cell: (cells) => <RoleCell role={cells[8]} /> },
          { head: "Reason", class: "bec", cell: (cells) => <ReasonOf cells={cells} text={cells[9]} /> },
        ]}
      />
    </ListPage>
  );
}

function who(cells: Cells) {
  const [, , , , user, , id = "", title = ""] = cells;
  if (user) return <UserOf cells={cells} />;
  if (id === "") return null;
  return <NameLink of={{ kind: "team", id, title }} />;
}
