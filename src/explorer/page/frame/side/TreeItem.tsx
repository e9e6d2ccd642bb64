import { of } from "../../session/address/address.ts";
import { Icon, KindIcon } from "../../parts/Icon.tsx";
import { isPlain } from "../../parts/Link.tsx";
import { useSession } from "../../session/session.ts";
import { date } from "../../words/date.ts";
import { nameOf } from "../../words/names.ts";
import { figure } from "../../words/number.ts";
import { indent } from "./indent.ts";
import type { TreeLine } from "./tree.ts";

interface Props {
  line: TreeLine & { kind: "node" };
  chosen: boolean;
  /** Whether Tab reaches this line: exactly one line of the tree is a tab stop. */
  stop: boolean;
}

export function TreeItem({ line, chosen, stop }: Props) {
  const { tree, walk } = useSession();
  const { node, depth, open } = line;
  const opens = node.kind === "collection" && node.children > 0;
  const to = of(node.kind, node.id);
  const deletedAt = node.kind === "space" ? node.deletedAt : undefined;
  return (
    <li role="none" data-row class={`${chosen ? "cur" : ""} ${deletedAt === undefined ? "" : "gone"}`}>
      <a
        role="treeitem"
        href={walk.hrefOf(to)}
        data-key={line.key}
        tabIndex={stop ? 0 : -1}
        aria-level={depth}
        aria-posinset={line.place}
        aria-setsize={line.siblings}
        aria-selected={chosen}
        aria-expanded={opens ? open : undefined}
        style={{ paddingLeft: `${indent(depth)}px` }}
        onClick={(event) => {
          if (!isPlain(event)) return;
          event.preventDefault();
          const twisted = event.target instanceof Element && event.target.closest(".tw");
          if (twisted && opens) tree.toggle(node.id);
          else walk.choose(to);
        }}
      >
        <span class="tw">{opens && <Icon name={open ? "open" : "next"} />}</span>
        <KindIcon of={node} />
        <bdi class="t">{nameOf(node)}</bdi>
        {deletedAt !== undefined && <span class="lvl">deleted</span>}
        {node.defaultLevel !== "inherit" && (
          <span class="lvl">
            <span class="vh">default level </span>
            {node.defaultLevel ?? "closed"}
          </span>
        )}
        {node.given > 0 && (
          <span class="own">
            {figure(node.given)}
            <span class="vh"> given here</span>
          </span>
        )}
        {/* If there is no room, CSS hides the date first. */}
        {deletedAt !== undefined && <span class="own">{date(deletedAt)}</span>}
      </a>
    </li>
  );
}
