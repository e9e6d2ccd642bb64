import { HOME, type Address } from "../address/address.ts";
import { useCell } from "../parts/cell.ts";
import { Link } from "../parts/Link.tsx";
import { useSession } from "../session.ts";
import { figure } from "../words/number.ts";
import { useGrown } from "./useGrown.ts";
import { seesAll } from "./seesAll.ts";
import { Sites } from "./Sites.tsx";
import { TreeView } from "./TreeView.tsx";

/** The directory: content, sites, and the ways to members and teams. */
export function Side({ address }: { address: Address }) {
  const { client } = useSession();
  const grown = useGrown(address);
  const me = useCell(client.me);
  const { totals } = me ?? {};
  const all = !me || seesAll(me);
  const list = (view: "members" | "teams", text: string, number: number | undefined) => (
    <h2 class={address.view === view ? "way cur" : "way"}>
      <Link to={{ ...HOME, view }}>
        <span>{text}</span>
        <span class="sum">{number === undefined ? "" : figure(number)}</span>
      </Link>
    </h2>
  );
  return (
    <nav class={grown ? "side" : "side growing"} aria-label="Directory" data-scroll>
      <SideTitle id="side-content" text="Content" number={totals && totals.spaces + totals.collections} />
      <TreeView address={address} labelledBy="side-content" />
      {all && grown && (
        <>
          <SideTitle id="side-sites" text="Sites" number={totals?.sites} />
          <Sites address={address} labelledBy="side-sites" />
          {list("members", "Members", totals?.members)}
          {list("teams", "Teams", totals?.teams)}
        </>
      )}
      {grown && (
        <p class="key">
          <b>Number</b>: permissions given directly here
          <br />
          <span class="lvl">closed</span> <span class="lvl">read</span> default level; inheriting stops there
        </p>
      )}
    </nav>
  );
}

function SideTitle({ id, text, number }: { id: string; text: string; number: number | undefined }) {
  return (
    <h2>
      <span id={id}>{text}</span>
      <span class="sum">{number === undefined ? "" : figure(number)}</span>
    </h2>
  );
}
