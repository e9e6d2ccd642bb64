import type { ComponentChildren } from "preact";
import { useEffect, useState } from "preact/hooks";
import type { PlaceAnswer } from "../../wire/answers.ts";
import type { Subject } from "../../wire/protocol.ts";
import { CsvButton, Progress } from "../files/Download.tsx";
import { PrintButton } from "../files/print.tsx";
import { rememberOpen } from "../frame/Palette.tsx";
import { Failure } from "../list/Failure.tsx";
import { FilterBar } from "../list/FilterBar.tsx";
import { ListLengthContext } from "../list/List.tsx";
import { RoleBar, type RoleCounts, RoleFilter, SheetRolesContext, withRole } from "../list/RoleCounts.tsx";
import { Tabs } from "../list/Tabs.tsx";
import { ListOf } from "../list/lists.tsx";
import { Icon, KindIcon } from "../parts/Icon.tsx";
import { Button } from "../parts/controls.tsx";
import { useValue } from "../parts/observable.ts";
import { Terms } from "../parts/text.tsx";
import {
  type Address,
  HOME,
  SUBJECTS,
  TABS,
  type Tab,
  countsQuery,
  listQuery,
  withDetail,
} from "../session/address.ts";
import { Refusal } from "../session/client.ts";
import { type PalettePurpose, seesAll, useSession } from "../session/session.ts";
import { useAnswer } from "../session/useAnswer.ts";
import { date } from "../words/dates.ts";
import { nameOf, rawName, visible } from "../words/names.ts";
import { figure } from "../words/numbers.ts";
import { type Crumb, Crumbs, Heading, type ViewProps, crumbsOf, useTitle } from "./Page.tsx";
import { DifferenceTools, WithoutLevel } from "./WithoutLinks.tsx";

/** The view of a content, a site, a member or a team: facts, role counts, and the list of the chosen tab. */
export function SubjectView({ address, listed }: ViewProps) {
  const { tree, client, navigation, recent } = useSession();
  const { view, id, tab } = address;
  const subjectQuery = { [view]: id };
  const place = useAnswer("subject", subjectQuery);
  const numbers = useAnswer("counts", subjectQuery);
  const narrowed = useAnswer("counts", countsQuery(address));
  const narrowedList = useAnswer("counts", countsQuery(listed));
  const { subject, ancestors } = place.answer ?? {};
  const { tabs: lengths } = numbers.answer ?? {};
  const [sheetRoles, setSheetRoles] = useState<RoleCounts>();
  // The role counts are those of the shown review, or else of the view's first list, with its filters while it is shown.
  const mixes = countsQuery(address) === undefined || tab !== TABS[view][0] ? numbers : narrowed;
  const listRoles = mixes === numbers ? numbers.answer?.roles : narrowed.answer?.filtered?.roles;
  const roles = tab === "review" ? sheetRoles : listRoles;
  // A collection itself has the number of its contents.
  const tabs: Partial<Record<Tab, number>> | undefined =
    lengths && (subject?.kind === "collection" ? { ...lengths, contents: subject.children } : lengths);
  const me = useValue(client.me);
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
    if (barred && own !== undefined && address.why === undefined)
      navigation.type(withDetail(address, "why", own));
  }, [numbers.failure, own, id]);

  const gone = place.failure instanceof Refusal && place.failure.status === 404;
  const kind = SUBJECTS.find((each) => each === view) ?? "organization";
  const mixed = view !== "team";
  const total = roles && Object.values(roles).reduce((sum, n) => sum + n, 0);
  const length = (of: Address, narrow: typeof narrowed) => {
    if (countsQuery(of) !== undefined) return narrow.answer?.filtered?.total;
    const { role } = listQuery(of) ?? {};
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
            {(tab !== "changes" || listQuery(address) !== undefined) && <PrintButton />}
            {listQuery(address) !== undefined && (
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
              <RoleBar
                roles={roles}
                label={view === "member" && tab !== "review" ? "Mix of roles over spaces" : "Mix of roles"}
                onChoose={(role) => navigation.choose(withRole(address, role))}
              />
              <RoleFilter address={address} roles={roles} total={total} />
            </>
          )}
          <Tabs address={address} counts={tabs} />
          <FilterBar address={address} />
          <ListLengthContext.Provider value={length(listed, narrowedList)}>
            <SheetRolesContext.Provider value={setSheetRoles}>
              <ListOf address={listed} subject={subject} />
            </SheetRolesContext.Provider>
          </ListLengthContext.Provider>
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

function Facts({ subject }: { subject: Subject | undefined }) {
  // Reserves the height of the facts until they are loaded.
  if (!subject) return <Terms class="facts" of={[["\u00a0", ""]]} />;
  return <Terms class="facts" of={[...factsOf(subject), ["Id", <code>{subject.id}</code>]]} />;
}

type Fact = readonly [term: string, value: ComponentChildren];

function factsOf(subject: Subject): Fact[] {
  switch (subject.kind) {
    case "space":
      return [
        ...(subject.deletedAt === undefined ? [] : [["Deleted", date(subject.deletedAt)] as const]),
        levelOf(subject),
        ["Visibility", subject.visibility],
      ];
    case "collection":
      return [levelOf(subject), ["Contents", figure(subject.children)]];
    case "site":
      return [["Spaces", figure(subject.spaces)]];
    case "member":
      return [
        ...(subject.email === undefined ? [] : [["E-mail", subject.email] as const]),
        ["Organization role", subject.role ?? "guest"],
      ];
    case "team":
      return [
        ["Members", figure(subject.members)],
        ["Spaces", figure(subject.spaces)],
        ["Created", date(subject.createdAt)],
      ];
  }
}

function levelOf(subject: Subject & { readonly defaultLevel: string | null }): Fact {
  return [
    "Default level",
    <>
      {subject.defaultLevel ?? "closed"} <WithoutLevel subject={subject} />
    </>,
  ];
}

/**
 * A button that opens the search for a person or a content, and then Why for the chosen one, even if there is no
 * access.
 */
function CheckButton({ what, children }: { what: PalettePurpose; children: ComponentChildren }) {
  const { palette } = useSession();
  return (
    <Button class="btn" aria-haspopup="dialog" onClick={() => palette.set(what)}>
      <Icon name={what === "member" ? "member" : "space"} />
      {children}
    </Button>
  );
}
