import type { SpaceRow } from "../../../wire/rows.ts";
import { filtered } from "../../words/filters.ts";
import { nameOf } from "../../words/names.ts";
import { count } from "../../words/number.ts";
import { LEVEL, SPACE } from "../columns.tsx";
import { List } from "../List.tsx";
import type { ListProps } from "../props.ts";

export function SpaceList({ address, subject }: ListProps) {
  return (
    <List<SpaceRow>
      address={address}
      caption={`Spaces of ${nameOf(subject)}, by title`}
      columns={[
        SPACE,
        { ...LEVEL, cell: ({ space }) => LEVEL.cell({ content: space }) },
        { head: "Visibility", class: "c-visibility", cell: ({ space }) => space.visibility },
      ]}
      rowId={(row) => row.space.id}
      foot={(total) => `${count(total, "space")}${filtered(address)}, by title`}
      empty="This site has no spaces."
    />
  );
}
