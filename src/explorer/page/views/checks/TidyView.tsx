import { useEffect } from "preact/hooks";
import { RoleCell } from "../../list/columns.tsx";
import { NameLink } from "../../parts/NameLink.tsx";
import type { Address } from "../../session/address/address.ts";
import { useCell } from "../../parts/cell.ts";
import type { Cells } from "../../session/ask/groupedRows.ts";
import { useSession } from "../../session/session.ts";
import { ListPage } from "../ListPage.tsx";
import { ContentOf, GroupList, ReasonOf, UserOf } from "./GroupList.tsx";
import { Groups } from "./Groups.tsx";
import { GROUPS, look, ReadFindings, TITLE } from "./Tidy.tsx";

/** The findings of one kind; without a kind that is known, the number of each kind. */
export function TidyView({ address }: { address: Address }) {
  const { tidy } = useSession();
  const { state } = useCell(tidy.read);
  const [kind, title] = GROUPS.find(([each]) => each === address.show) ?? ["", TITLE];
  useEffect(() => {
    if (state === "idle") look(tidy);
  }, [state]);
  return (
    <ListPage
      address={address}
      of={`tidy ${kind}`}
      heading={title}
      title={title}
      bar={<ReadFindings of={tidy} />}
    >
      {kind === "" ? (
        <div class="rules">
          <Groups of={tidy} view="tidy" groups={GROUPS} />
        </div>
      ) : (
        <GroupList
          of={tidy}
          group={kind}
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
      )}
    </ListPage>
  );
}

function who(cells: Cells) {
  const [, , , , user, , id = "", title = ""] = cells;
  if (user) return <UserOf cells={cells} />;
  if (id === "") return null;
  return <NameLink of={{ kind: "team", id, title }} />;
}
