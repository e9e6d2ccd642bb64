import { useEffect, useState } from "preact/hooks";
import type { PlaceAnswer } from "../../../wire/tree.ts";
import {
  countsOf,
  HOME,
  listOf,
  SUBJECTS,
  TABS,
  withDetail,
  type Address,
  type Tab,
} from "../../session/address/address.ts";
import { useAnswer } from "../../session/ask/answers.ts";
import { Refusal } from "../../session/ask/refusal.ts";
import { CsvButton } from "../../files/csv/CsvButton.tsx";
import { Progress } from "../../files/csv/Progress.tsx";
import { DifferenceTools } from "../differences/Tools.tsx";
import { Chips, withRole } from "../../list/filter/Chips.tsx";
import { Failure } from "../../list/Failure.tsx";
import { FilterBar } from "../../list/filter/FilterBar.tsx";
import { CountedLength } from "../../list/length.ts";
import { ListOf } from "../../list/ListOf.tsx";
import { Mix, type RoleCounts } from "../../list/Mix.tsx";
import { TellSheetRoles } from "../../list/sheetRoles.ts";
import { Tabs } from "../../list/Tabs.tsx";
import { useCell } from "../../parts/cell.ts";
import { KindIcon } from "../../parts/Icon.tsx";
import { PrintButton } from "../../files/print/PrintButton.tsx";
import { useSession } from "../../session/session.ts";
import { rememberOpen } from "../../frame/palette/remember.ts";
import { seesAll } from "../../frame/side/seesAll.ts";
import { nameOf, rawName, visible } from "../../words/names.ts";
import { CheckButton } from "./CheckButton.tsx";
import { Crumbs, crumbsOf, type Crumb } from "../Crumbs.tsx";
import { Facts } from "./Facts.tsx";
import { Heading } from "../Heading.tsx";
import { useTitle } from "../title.ts";

export interface ViewProps {
  address: Address;
  /** The address of the list that is drawn: the previous one while the list of `address` is loading. */
  listed: Address;
}

/** The view of a content, a site, a member or a team: facts, role counts, and the list of the chosen tab. */
export function SubjectView({ address, listed }: ViewProps) {
  const { places, counts, tree, client, walk, recent } = useSession();
  const { view, id, tab } = address;
  const subjectQuery = { [view]: id };
  const place = useAnswer(places, subjectQuery);
  const numbers = useAnswer(counts, subjectQuery);
  const narrowed = useAnswer(counts, countsOf(address));
  const narrowedList = useAnswer(counts, countsOf(listed));
  const { subject, ancestors } = place.answer ?? {};
  const { tabs: lengths } = numbers.answer ?? {};
  const [sheetRoles, setSheetRoles] = useState<RoleCounts>();
  // The role counts are those of the shown review, or else of the view's first list, with its filters while it is shown.
  const mixes = countsOf(address) === undefined || tab !== TABS[view][0] ? numbers : narrowed;
  const listRoles = mixes === numbers ? numbers.answer?.roles : narrowed.answer?.filtered?.roles;
  const roles = tab === "review" ? sheetRoles : listRoles;
  // A collection itself has the number of its contents.
  const tabs: Partial<Record<Tab, number>> | undefined =
    lengths && (subject?.kind === "collection" ? { ...lengths, contents: subject.children } : lengths);
  const me = useCell(client.me);
  const all = !me || seesAll(me);
  useTitle(subject, address);

  useEffect(() => {
    if (ancestors && (subject?.kind === "space" || subject?.kind === "collection"))
      tree.reveal(ancestors, subject);
    if (place.answer) rememberOpen(recent, place.answer);
    if (place.failure !== undefined) tree.miss(id);
  }, [place.answer, place.failure]);

  // A caller who may see the subject but not its list gets the facts and the refusal.
  const barred = numbers.failure instanceof Refusal && numbers.failure.status === 403;
  // A caller who may see but not list a content gets Why for themselves.
  const caller = me?.caller;
  const self = caller?.kind === "member" ? caller.id : undefined;
  const own = view === "space" || view === "collection" ? self : undefined;
  useEffect(() => {
    if (barred && own !== undefined && address.why === undefined) walk.type(withDetail(address, "why", own));
  }, [numbers.failure, own, id]);

  const gone = place.failure instanceof Refusal && place.failure.status === 404;
  const kind = SUBJECTS.find((each) => each === view) ?? "organization";
  const mixed = view !== "team";
  const total = roles && Object.values(roles).reduce((sum, n) => sum + n, 0);
  const length = (of: Address, narrow: typeof narrowed) => {
    if (countsOf(of) !== undefined) return narrow.answer?.filtered?.total;
    const { role } = listOf(of) ?? {};
    const all = numbers.answer?.roles;
    return role === undefined ? tabs?.[of.tab || "everyone"] : all && lookUp(all, role);
  };

  return (
    <>
      <div class="head">
        <Crumbs way={wayOf(place.answer, view)} />
        <Heading of={`${view} ${id}`} ready={subject !== undefined || place.failure !== undefined}>
          {gone ? (
            "Not found"
          ) : (
            <>
              <KindIcon of={subject ?? { kind }} />
              {subject || place.failure !== undefined ? (
                <bdi>{subject ? nameOf(subject) : visible(id)}</bdi>
              ) : (
                <span class="vh">Loading</span>
              )}
            </>
          )}
        </Heading>
        {!gone && <Facts subject={me && subject} />}
        {!gone && !barred && (
          <div class="tools">
            {all && (view === "space" || view === "collection" || view === "site") && (
              <CheckButton what="member">Check a person</CheckButton>
            )}
            {view === "member" && <CheckButton what="content">Check a space</CheckButton>}
            {all && <DifferenceTools view={view} id={address.id} />}
            {(tab !== "changes" || listOf(address) !== undefined) && <PrintButton />}
            {listOf(address) !== undefined && (
              <CsvButton
                address={address}
                title={subject && rawName(subject)}
                total={length(address, narrowed)}
              />
            )}
          </div>
        )}
      </div>
      <Progress />
      {gone || barred ? (
        <Failure failure={gone ? place.failure : numbers.failure} address={address} again={place.again} />
      ) : (
        <>
          {mixed && (
            <>
              <Mix
                roles={roles}
                label={view === "member" && tab !== "review" ? "Mix of roles over spaces" : "Mix of roles"}
                onChoose={(role) => walk.choose(withRole(address, role))}
              />
              <Chips address={address} roles={roles} total={total} />
            </>
          )}
          <Tabs address={address} counts={tabs} />
          <FilterBar address={address} />
          <CountedLength.Provider value={length(listed, narrowedList)}>
            <TellSheetRoles.Provider value={setSheetRoles}>
              <ListOf address={listed} subject={subject} />
            </TellSheetRoles.Provider>
          </CountedLength.Provider>
        </>
      )}
    </>
  );
}

function wayOf(place: PlaceAnswer | undefined, view: Address["view"]): Crumb[] {
  if (view === "member") return [{ title: "Members", to: { ...HOME, view: "members" } }];
  if (view === "team") return [{ title: "Teams", to: { ...HOME, view: "teams" } }];
  return crumbsOf(place?.ancestors ?? []);
}

function lookUp(roles: Readonly<Record<string, number>>, role: string): number | undefined {
  return Object.hasOwn(roles, role) ? roles[role] : undefined;
}
