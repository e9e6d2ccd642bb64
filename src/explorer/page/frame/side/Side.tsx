import { HOME, type Address } from "../../session/address/address.ts";
import { useCell } from "../../parts/cell.ts";
import { Link } from "../../parts/Link.tsx";
import { useSession } from "../../session/session.ts";
import { figure } from "../../words/number.ts";
import { useGrown } from "./useGrown.ts";
import { seesAll } from "./seesAll.ts";
import { Fold } from "./Fold.tsx";
import { Sites } from "./Sites.tsx";
import { TreeView } from "./TreeView.tsx";

/** With more sites than this, their list is collapsed at first, so that the tree below it stays visible. */
const FEW = 5;

/** The directory: members, teams, sites and the tree of contents. */
export function Side({ address, ready }: { address: Address; ready: boolean }) {
  const { client } = useSession();
  const grown = useGrown(address, ready);
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
      {all && (
        <>
          {list("members", "Members", totals?.members)}
          {list("teams", "Teams", totals?.teams)}
          <Fold
            id="side-sites"
            text="Sites"
            number={totals?.sites}
            open={address.view === "site" || (totals?.sites ?? 0) <= FEW}
          >
            {grown && <Sites address={address} labelledBy="side-sites" />}
          </Fold>
        </>
      )}
      <Fold id="side-content" text="Content" number={totals && totals.spaces + totals.collections} open>
        <TreeView address={address} labelledBy="side-content" />
      </Fold>
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
