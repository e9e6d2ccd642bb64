/** The directory on the left: members, teams, sites and the tree of contents. */
import type { ComponentChildren } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Icon } from "../parts/Icon.tsx";
import { Link } from "../parts/Link.tsx";
import { Button } from "../parts/controls.tsx";
import { useValue } from "../parts/observable.ts";
import { drawnPieces, useWindow } from "../parts/window.ts";
import { type Address, HOME, addressOf } from "../session/address.ts";
import { useRead } from "../session/rows.ts";
import { sitesOf, useSeesAll, useSession } from "../session/session.ts";
import { storeInTab, storedInTab } from "../session/tabStorage.ts";
import { nameOf } from "../words/names.ts";
import { count, figure } from "../words/numbers.ts";
import { TreeView } from "./ContentTree.tsx";

/** With more sites than this, their list is collapsed at first, so that the tree below it stays visible. */
const SITES_SHOWN = 5;

/** The directory: members, teams, sites and the tree of contents. */
export function Directory({ address, ready }: { address: Address; ready: boolean }) {
  const { client } = useSession();
  const grown = useDirectoryReady(address, ready);
  const { totals } = useValue(client.me) ?? {};
  const all = useSeesAll(true);
  const list = (view: "members" | "teams", text: string, number: number | undefined) => (
    <h2 class={address.view === view ? "way cur" : "way"}>
      <Link to={{ ...HOME, view }}>
        <span>{text}</span>
        <span class="sum">{figure(number, "")}</span>
      </Link>
    </h2>
  );
  return (
    <nav class={grown ? "side" : "side growing"} aria-label="Directory" data-scroll>
      {all && (
        <>
          {list("members", "Members", totals?.members)}
          {list("teams", "Teams", totals?.teams)}
          <Collapsible
            id="side-sites"
            text="Sites"
            number={totals?.sites}
            open={address.view === "site" || (totals?.sites ?? 0) <= SITES_SHOWN}
          >
            {grown && <Sites address={address} labelledBy="side-sites" />}
          </Collapsible>
        </>
      )}
      <Collapsible
        id="side-content"
        text="Content"
        number={totals && totals.spaces + totals.collections}
        open
      >
        <TreeView address={address} labelledBy="side-content" />
      </Collapsible>
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

/**
 * False until the sites, the tree and the part above them are `ready` and nothing of the directory is being read. Until
 * then the directory is hidden, so that nothing shifts while it loads.
 */
function useDirectoryReady({ view, id }: Address, ready: boolean): boolean {
  const session = useSession();
  const { tree } = session;
  const list = sitesOf(session);
  const { known, state } = useRead(list);
  useValue(tree.changes);
  const [grown, setGrown] = useState(false);
  const content = view === "space" || view === "collection";
  const listed = known > 0 || state === "whole" || state === "failed";
  // After what was drawn has begun to read what it lacks.
  useEffect(() => {
    // A collapsed tree reads nothing.
    const isThere =
      storedInTab("side-content") === "shut" || (tree.isStill() && (!content || tree.shows(id)));
    if (ready && listed && isThere) setGrown(true);
  });
  return grown;
}

interface CollapsibleProps {
  id: string;
  text: string;
  number: number | undefined;
  /** Whether the part is open until the reader changes that. */
  open: boolean;
  children: ComponentChildren;
}

/** A collapsible part of the directory. Whether it is open is stored for the browser tab. */
function Collapsible({ id, text, number, open: first, children }: CollapsibleProps) {
  const [chosen, setChosen] = useState(() => storedInTab(id));
  const open = chosen === undefined ? first : chosen === "open";
  return (
    <>
      <h2>
        <button
          type="button"
          aria-expanded={open}
          onClick={() => {
            const next = open ? "shut" : "open";
            storeInTab(id, next);
            setChosen(next);
          }}
        >
          <Icon name={open ? "open" : "next"} />
          <span id={id}>{text}</span>
          <span class="sum">{figure(number, "")}</span>
        </button>
      </h2>
      {open && children}
    </>
  );
}

function Sites({ address, labelledBy }: { address: Address; labelledBy: string }) {
  const session = useSession();
  useValue(session.client.reloads);
  const list = sitesOf(session);
  const { known, state } = useRead(list);
  const body = useRef<HTMLUListElement>(null);
  const span = useWindow(body, known, 28, (first, last) => list.want(first, last));
  return (
    <ul class="plain" ref={body} aria-labelledby={labelledBy}>
      {drawnPieces(span, known, undefined).map((piece) => {
        if ("gap" in piece)
          return <li key={`gap${piece.gap}`} aria-hidden="true" style={{ height: `${piece.gap}px` }} />;
        const site = list.row(piece.row);
        if (!site) return null;
        const chosen = address.view === "site" && address.id === site.id;
        return (
          <li key={site.id} data-row class={chosen ? "cur" : undefined}>
            <Link to={addressOf("site", site.id)}>
              <Icon name="site" />
              <bdi class="t">{nameOf(site)}</bdi>
              <span class="own">{count(site.spaces, "space")}</span>
            </Link>
          </li>
        );
      })}
      {state === "failed" && (
        <li class="rest">
          <Button onClick={() => list.again()}>Not read. Try again</Button>
        </li>
      )}
    </ul>
  );
}
