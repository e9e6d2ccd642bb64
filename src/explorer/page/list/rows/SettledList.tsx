import type { ContentRow } from "../../../wire/rows.ts";
import { filtered } from "../../words/filters.ts";
import { count } from "../../words/number.ts";
import { SETTINGS } from "../../words/settings.ts";
import { CONTENT, KIND, LEVEL } from "../columns.tsx";
import { List } from "../List.tsx";
import type { ListProps } from "../props.ts";

/** The contents that are closed, open for edits by default, or deleted. */
export function SettledList({ address }: ListProps) {
  return (
    <List<ContentRow>
      address={address}
      caption={SETTINGS[address.show ?? "closed"] ?? "Contents"}
      columns={[CONTENT, LEVEL, KIND]}
      rowId={({ content }) => `${content.kind}/${content.id}`}
      foot={(total) => `${count(total, "content")}${filtered(address)}, collections first, by title`}
      empty="There is none."
    />
  );
}
