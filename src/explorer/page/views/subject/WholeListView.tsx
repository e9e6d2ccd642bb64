import { countsOf, type Address } from "../../session/address/address.ts";
import { useAnswer } from "../../session/ask/answers.ts";
import { CsvButton } from "../../files/csv/CsvButton.tsx";
import { Progress } from "../../files/csv/Progress.tsx";
import { FilterBar } from "../../list/filter/FilterBar.tsx";
import { CountedLength } from "../../list/length.ts";
import { ListOf } from "../../list/ListOf.tsx";
import { useCell } from "../../parts/cell.ts";
import { Icon, type IconName } from "../../parts/Icon.tsx";
import { PrintButton } from "../../files/print/PrintButton.tsx";
import { useSession } from "../../session/session.ts";
import { seesAll } from "../../frame/side/seesAll.ts";
import { SETTINGS } from "../../words/settings.ts";
import { visible } from "../../words/names.ts";
import { Crumbs } from "../Crumbs.tsx";
import { Heading } from "../Heading.tsx";
import type { ViewProps } from "./SubjectView.tsx";
import { useDocumentTitle } from "../title.ts";

const ICONS: Readonly<Record<string, IconName>> = { members: "member", teams: "team", found: "search" };

function titleOf({ view, show, q = "" }: Address): string {
  if (view === "found") return `Matches of “${visible(q)}”`;
  if (view === "contents") return SETTINGS[show ?? "closed"] ?? "Contents";
  return view === "members" ? "Members" : "Teams";
}

/** All members, all teams, contents by setting, or all search results, with filters. */
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
  useDocumentTitle(title);
  // A caller without permission for the list sees the refusal below, and no tools.
  const barred = me !== undefined && !seesAll(me);
  return (
    <>
      <Crumbs way={[]} />
      <Heading of={`${address.view} ${address.show ?? ""}`} ready>
        <Icon name={ICONS[address.view] ?? "collection"} />
        {title}
      </Heading>
      {!barred && (
        <div class="bar">
          <FilterBar address={address} />
          <div class="tools">
            <PrintButton />
            <CsvButton address={address} title={title} total={length(address, narrowed)} />
          </div>
        </div>
      )}
      <Progress />
      <CountedLength.Provider value={length(listed, narrowedList)}>
        <ListOf address={listed} />
      </CountedLength.Provider>
    </>
  );
}
