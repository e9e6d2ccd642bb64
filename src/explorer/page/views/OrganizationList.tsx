import { FilterBar } from "../list/FilterBar.tsx";
import { ListLengthContext } from "../list/List.tsx";
import { ListOf } from "../list/lists.tsx";
import type { IconName } from "../parts/Icon.tsx";
import { useValue } from "../parts/observable.ts";
import { type Address, countsQuery } from "../session/address.ts";
import { seesAll, useSession } from "../session/session.ts";
import { useAnswer } from "../session/useAnswer.ts";
import { SETTINGS } from "../words/filters.ts";
import { visible } from "../words/names.ts";
import { ListPage, type ViewProps } from "./Page.tsx";

const ICONS: Readonly<Record<string, IconName>> = { members: "member", teams: "team", found: "search" };

function titleOf({ view, show, q = "" }: Address): string {
  if (view === "found") return `Matches of “${visible(q)}”`;
  if (view === "contents") return SETTINGS[show ?? "closed"] ?? "Contents";
  return view === "members" ? "Members" : "Teams";
}

/** A list of the whole organization: members, teams, contents with a setting, or search results. */
export function OrganizationListView({ address, listed }: ViewProps) {
  const { client } = useSession();
  const me = useValue(client.me);
  const { totals } = me ?? {};
  const title = titleOf(address);
  const narrowed = useAnswer("counts", countsQuery(address));
  const narrowedList = useAnswer("counts", countsQuery(listed));
  const length = (of: Address, narrow: typeof narrowed) =>
    countsQuery(of) !== undefined
      ? narrow.answer?.filtered?.total
      : of.view === "members" || of.view === "teams"
        ? totals?.[of.view]
        : undefined;
  // A caller without permission for the list gets the refusal, and no actions.
  const barred = me !== undefined && !seesAll(me);
  return (
    <ListPage
      address={address}
      of={`${address.view} ${address.show ?? ""}`}
      icon={ICONS[address.view] ?? "collection"}
      heading={title}
      title={title}
      {...(barred && { tools: null })}
      bar={<FilterBar address={address} />}
      file={{ title, total: length(address, narrowed) }}
    >
      <ListLengthContext.Provider value={length(listed, narrowedList)}>
        <ListOf address={listed} />
      </ListLengthContext.Provider>
    </ListPage>
  );
}
