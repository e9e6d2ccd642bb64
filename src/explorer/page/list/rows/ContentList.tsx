import type { ContentRow } from "../../../wire/rows.ts";
import type { ContentNode } from "../../../wire/subjects.ts";
import { useRestedAnswer } from "../../session/ask/answers.ts";
import { useSession } from "../../session/session.ts";
import { filtered } from "../../words/filters.ts";
import { nameOf } from "../../words/names.ts";
import { count, figure } from "../../words/number.ts";
import { ContentCell, LEVEL } from "../columns.tsx";
import { List } from "../List.tsx";
import { Mix } from "../Mix.tsx";
import type { ListProps } from "../props.ts";

export function ContentList({ address, subject }: ListProps) {
  const { counts } = useSession();
  // The role counts of the collection are requested first.
  const counted = counts.known({ collection: address.id }) !== undefined;
  return (
    <List<ContentRow>
      address={address}
      caption={`Contents of ${nameOf(subject)}, by title`}
      columns={[
        { head: "Content", class: "c-name", cell: ({ content }) => <ContentCell content={content} /> },
        LEVEL,
        {
          head: "Mix of roles",
          class: "c-mix",
          cell: ({ content }) => <RowMix node={content} ask={counted} />,
        },
      ]}
      rowId={({ content }) => `${content.kind}/${content.id}`}
      foot={(total) => `${count(total, "content")}${filtered(address)}, collections first, by title`}
      empty="Nothing lies in this collection."
    />
  );
}

/** The role counts of a content; a dash until they arrive, and if the reader may not list the content. */
function RowMix({ node, ask }: { node: ContentNode; ask: boolean }) {
  const { counts } = useSession();
  const { roles, tabs } = useRestedAnswer(counts, { [node.kind]: node.id }, ask).answer ?? {};
  return (
    <div class="cell">
      <Mix roles={roles} label={`Roles on ${nameOf(node)}`} />
      <span class="sum">{tabs?.everyone === undefined ? "–" : figure(tabs.everyone)}</span>
    </div>
  );
}
