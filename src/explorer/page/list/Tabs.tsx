import { useLayoutEffect, useRef } from "preact/hooks";
import { keyFor } from "../parts/keys.ts";
import { type Address, type Tab, tabsOf } from "../session/address.ts";
import { useSeesAll, useSession } from "../session/session.ts";
import { figure } from "../words/numbers.ts";

const LABELS: Readonly<Record<Tab, string>> = {
  everyone: "Everyone",
  contents: "Contents",
  changes: "Changes",
  review: "Review",
  people: "Direct people",
  teams: "Direct teams",
  spaces: "Spaces",
  permissions: "Permissions",
  members: "Members",
};

/** How much of the tab before the selected one stays visible, in px. */
const ASIDE = 72;

export function Tabs({
  address,
  counts,
}: {
  address: Address;
  counts: Partial<Record<Tab, number>> | undefined;
}) {
  const { navigation } = useSession();
  const all = useSeesAll();
  const box = useRef<HTMLDivElement>(null);
  // Reviews are for callers who see everything.
  const tabs = tabsOf(address.view).filter((tab) => tab !== "review" || all);
  // On phones the tabs scroll sideways.
  useLayoutEffect(() => {
    const chosen = box.current?.querySelector<HTMLElement>("[aria-selected=true]");
    if (box.current && chosen) box.current.scrollLeft = chosen.offsetLeft - ASIDE;
  }, [address.tab, tabs.length]);
  const choose = (tab: Tab | undefined) => {
    if (!tab) return;
    const { view, id, why } = address;
    navigation.choose({ view, id, tab, ...(why !== undefined && { why }) });
    box.current?.querySelector<HTMLElement>(`#tab-${tab}`)?.focus();
  };
  return (
    <div
      class="tabs"
      role="tablist"
      aria-label="Lists"
      ref={box}
      onKeyDown={(event) => {
        const at = tabs.findIndex((tab) => tab === address.tab);
        const to = { ArrowRight: at + 1, ArrowLeft: at - 1 + tabs.length, Home: 0, End: tabs.length - 1 }[
          keyFor(event)
        ];
        if (to === undefined) return;
        event.preventDefault();
        choose(tabs[to % tabs.length]);
      }}
    >
      {tabs.map((tab, at) => (
        <button
          key={tab}
          type="button"
          role="tab"
          id={`tab-${tab}`}
          aria-controls="list"
          aria-selected={tab === address.tab}
          tabIndex={tab === address.tab ? 0 : -1}
          onClick={() => choose(tab)}
        >
          {address.view === "member" && tab === "teams" ? "Teams" : LABELS[tab]}
          {/* The first tab has no number, because the role counts above the list show it. */}
          {(at > 0 || address.view === "team") && tab !== "review" && tab !== "changes" && (
            <>
              {" "}
              <span>{figure(counts?.[tab])}</span>
            </>
          )}
        </button>
      ))}
    </div>
  );
}
