import { contentKey } from "../../../../domain/content.ts";
import type { GivenRow } from "../../../wire/rows.ts";
import { WithoutGrant } from "../../views/differences/Tools.tsx";
import { filtered } from "../../words/filters.ts";
import { nameOf } from "../../words/names.ts";
import { count } from "../../words/number.ts";
import { CONTENT, KIND, ROLE } from "../columns.tsx";
import { List } from "../List.tsx";
import type { ListProps } from "../props.ts";

export function GivenList({ address, subject }: ListProps) {
  return (
    <List<GivenRow>
      address={address}
      caption={`Permissions of team ${nameOf(subject)}, strongest role first`}
      columns={[
        CONTENT,
        ROLE,
        KIND,
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
      empty="This team was given no permission."
    />
  );
}
