import { RoleCell } from "../../list/columns.tsx";
import type { Address } from "../../session/address/address.ts";
import type { Cells } from "../../session/ask/groupedRows.ts";
import { useSession } from "../../session/session.ts";
import { moment } from "../../words/date.ts";
import { capital } from "../../words/names.ts";
import { ListPage } from "../ListPage.tsx";
import { Outcomes, ReadDecided } from "./Decided.tsx";
import { ContentOf, GroupList, ReasonOf, UserOf } from "./GroupList.tsx";

/** The rows of a decided report that have one decision and outcome. */
export function DecidedView({ address }: { address: Address }) {
  const { decided } = useSession();
  const { show = "" } = address;
  const title = capital(show) || "Check a decided report";

  /** The cells of an outcome. A name that the server no longer has is taken from the file. */
  function named(cells: Cells): Cells {
    const row = decided.rowOf(cells)?.cells ?? [];
    return cells.map((cell, at) => cell || (at === 3 ? row[2] : at === 5 ? row[5] : "") || "");
  }

  return (
    <ListPage address={address} of={`decided ${show}`} heading={title} title={title} bar={<ReadDecided />}>
      {show === "" ? (
        <div class="rules">
          <Outcomes />
        </div>
      ) : (
        <GroupList
          of={decided.outcomes}
          group={show}
          address={address}
          caption={title}
          columns={[
            { head: "Content", class: "c-name", cell: (cells) => <ContentOf cells={named(cells)} /> },
            { head: "Member", class: "c-member", cell: (cells) => <UserOf cells={named(cells)} /> },
            {
              head: "Was",
              class: "c-role c-was",
              cell: (cells) => <RoleCell role={cells[6] || "no role"} />,
            },
            { head: "Is", class: "c-role c-is", cell: (cells) => <RoleCell role={cells[7] || "no role"} /> },
            {
              head: "Why, since when, comment",
              class: "bec",
              cell: (cells) => {
                const [, , , , , , , , reason, , time = "", change] = cells;
                const { comment = "" } = decided.rowOf(cells)?.mark ?? {};
                const text = [reason, change && `${change} (${moment(time)})`, comment && `“${comment}”`]
                  .filter(Boolean)
                  .join("; ");
                return <ReasonOf cells={named(cells)} text={text} />;
              },
            },
          ]}
        />
      )}
    </ListPage>
  );
}
