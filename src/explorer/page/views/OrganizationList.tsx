import { FilterBar } from "../list/FilterBar.tsx";
import { ListLengthContext } from "../list/List.tsx";
import { ListOf } from "../list/lists.tsx";
import { Icon, type IconName } from "../parts/Icon.tsx";
import { useValue } from "../parts/observable.ts";
import type { Address } from "../session/address.ts";
import { seesAll, useSession } from "../session/session.ts";
import { SETTINGS } from "../words/filters.ts";
import { visible } from "../words/names.ts";
import { Page, type ViewProps } from "./Page.tsx";

const ICONS: Readonly<Record<string, IconName>> = { members: "member", teams: "team", found: "search" };

function titleOf({ view, show, q = "" }: Address): string {
  if (view === "found") return `Matches of “${visible(q)}”`;
  if (view === "contents") return SETTINGS[show ?? "closed"] ?? "Contents";
  return view === "members" ? "Members" : "Teams";
}

/** A list of the whole organization: members, teams, contents with a setting, or search results. */
export function OrganizationListView({ address, listed }: ViewProps) {
  const me = useValue(useSession().client.me);
  const title = titleOf(address);
  const total = ({ view }: Address) =>
    view === "members" || view === "teams" ? me?.totals?.[view] : undefined;
  // A caller without permission for the list gets the refusal, and no actions.
  const barred = me !== undefined && !seesAll(me);
  return (
    <Page
      address={address}
      of={`${address.view} ${address.show ?? ""}`}
      icon={<Icon name={ICONS[address.view] ?? "collection"} />}
      heading={title}
      title={title}
      file={barred ? undefined : { title, total: total(address) }}
    >
      {!barred && <FilterBar address={address} />}
      <ListLengthContext.Provider value={total(listed)}>
        <ListOf address={listed} />
      </ListLengthContext.Provider>
    </Page>
  );
}
