import type { ContentNode } from "../../../wire/things.ts";
import { useAnswer } from "../../session/ask/answers.ts";
import { useLate } from "../../parts/late.ts";
import { useSession } from "../../session/session.ts";
import { filtered } from "../../words/filters.ts";
import { nameOf } from "../../words/names.ts";
import { count, figure } from "../../words/number.ts";
import { ContentCell } from "../columns.tsx";
import { List } from "../List.tsx";
import { Mix } from "../Mix.tsx";
import { listQuery, type ListProps } from "../props.ts";
import { ShowAll } from "../ShowAll.tsx";

/** The contents of a collection with their role counts. */
export function ContentList({ address, subject }: ListProps) {
  const { settled, counts } = useSession();
  // The collection itself is counted first.
  const counted = counts.known({ collection: address.id }) !== undefined;
  return (
    <List
      list={settled.get(listQuery(address))}
      address={address}
      tabbed
      caption={`Contents of ${nameOf(subject)}, by title`}
      columns={[
        { head: "Content", class: "c-name", cell: ({ content }) => <ContentCell content={content} /> },
        {
          head: "Default level",
          class: "c-level",
          cell: ({ content }) => <>{content.defaultLevel ?? "closed"}</>,
        },
        {
          head: "Mix of roles",
          class: "c-mix",
          cell: ({ content }) => <RowMix node={content} ask={counted} />,
        },
      ]}
      rowId={({ content }) => `${content.kind}/${content.id}`}
      foot={(total) => `${count(total, "content")}${filtered(address)}, collections first, by title`}
      empty={<ShowAll address={address} none="Nothing lies in this collection." />}
    />
  );
}

/** The delay in ms before counts are requested, so that scrolling past requests nothing. */
const REST = 200;

/** The role counts of a content; empty if the reader may not list it. */
function RowMix({ node, ask }: { node: ContentNode; ask: boolean }) {
  const { counts } = useSession();
  const rests = useLate(ask, REST);
  const query = { [node.kind]: node.id };
  const { answer } = useAnswer(counts, rests || counts.known(query) ? query : undefined);
  const { roles, tabs } = answer ?? {};
  return (
    <div class="cell">
      <Mix roles={roles} label={`Roles on ${nameOf(node)}`} />
      <span class="sum">{tabs?.everyone === undefined ? "–" : figure(tabs.everyone)}</span>
    </div>
  );
}
