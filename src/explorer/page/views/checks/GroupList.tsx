import { useMemo } from "preact/hooks";
import type { Address } from "../../session/address/address.ts";
import type { Cells, GroupedRows } from "../../session/ask/groupedRows.ts";
import { List } from "../../list/List.tsx";
import { heldRows } from "../../list/heldRows.ts";
import type { Column } from "../../list/Table.tsx";
import { ContentCell, PersonCell } from "../../list/columns.tsx";
import { Cut } from "../../parts/Cut.tsx";
import { useCell } from "../../parts/cell.ts";
import { count, figure } from "../../words/number.ts";

interface Props {
  of: GroupedRows;
  group: string;
  address: Address;
  caption: string;
  columns: readonly Column<Cells>[];
}

export function GroupList({ of: rows, group, address, caption, columns }: Props) {
  const { state, counts } = useCell(rows.read);
  const all = counts.get(group) ?? 0;
  const shown = rows.rows(group);
  const list = useMemo(() => heldRows([...shown]), [rows, group, state, shown.length]);
  if (state === "idle") return null;
  return (
    <div class="tall">
      <List
        list={list}
        address={address}
        caption={caption}
        columns={columns}
        rowId={(cells) => cells.slice(0, 8).join()}
        foot={(total) => `${total < all ? `${figure(total)} of ` : ""}${count(all, "row")}`}
        empty={state === "whole" ? "There are no such rows." : "None so far."}
      />
    </div>
  );
}

/** The second to fourth cell of a row: kind, id and title of a content. */
export function ContentOf({ cells: [, kind, id = "", title = ""] }: { cells: Cells }) {
  return <ContentCell content={{ kind: kind === "collection" ? "collection" : "space", id, title }} />;
}

/** The fifth and sixth cell of a row: id and name of a user. */
export function UserOf({ cells: [, , , , id = "", displayName = ""] }: { cells: Cells }) {
  return <PersonCell user={{ id, displayName }} />;
}

export function ReasonOf({ cells, text }: { cells: Cells; text: string | undefined }) {
  return (
    <div class="cell">
      <Cut title={<bdi>{cells[3] || cells[5]}</bdi>}>{text}</Cut>
    </div>
  );
}
