import { countsOf, type Address } from "../../session/address/address.ts";
import { useAnswer } from "../../session/ask/answers.ts";
import { FilterBar } from "../../list/filter/FilterBar.tsx";
import { CountedLength } from "../../list/length.ts";
import { ListOf } from "../../list/ListOf.tsx";
import { useCell } from "../../parts/cell.ts";
import type { IconName } from "../../parts/Icon.tsx";
import { useSession } from "../../session/session.ts";
import { seesAll } from "../../frame/side/seesAll.ts";
import { SETTINGS } from "../../words/settings.ts";
import { visible } from "../../words/names.ts";
import { ListPage } from "../ListPage.tsx";
import type { ViewProps } from "./SubjectView.tsx";

const ICONS: Readonly<Record<string, IconName>> = { members: "member", teams: "team", found: "search" };

function titleOf({ view, show, q = "" }: Address): string {
  if (view === "found") return `Matches of “${visible(q)}”`;
  if (view === "contents") return SETTINGS[show ?? "closed"] ?? "Contents";
  return view === "members" ? "Members" : "Teams";
}

/** A list of the whole organization: members, teams, contents with a setting, or search results. */
export function WholeListView({ address, listed }: ViewProps) {
  const { client, counts } = useSession();
  const me = useCell(client.me);
  const { totals } = me ?? {};
  const title = titleOf(address);
  const narrowed = useAnswer(counts, countsOf(address));
  const narrowedList = useAnswer(counts, countsOf(listed));
  const length = (of: Address, narrow: typeof narrowed) =>
    countsOf(of) !== undefined
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
      <CountedLength.Provider value={length(listed, narrowedList)}>
        <ListOf address={listed} />
      </CountedLength.Provider>
    </ListPage>
  );
}
