/** The view of a content, a site, a member or a team. */
import type { ComponentChildren } from "preact";
import { useEffect } from "preact/hooks";
import { isRole } from "../../../domain/role.ts";
import type { PlaceAnswer } from "../../wire/answers.ts";
import type { SubjectNode } from "../../wire/protocol.ts";
import { rememberOpen } from "../frame/SearchPalette.tsx";
import { FilterBar } from "../list/FilterBar.tsx";
import { ListLengthContext } from "../list/List.tsx";
import { RoleBar, RoleFilter, withRole } from "../list/RoleCounts.tsx";
import { Tabs } from "../list/Tabs.tsx";
import { ListOf } from "../list/lists.tsx";
import { Icon, KindIcon } from "../parts/Icon.tsx";
import { Button } from "../parts/controls.tsx";
import { useValue } from "../parts/observable.ts";
import { Terms } from "../parts/text.tsx";
import {
  type Address,
  HOME,
  type Tab,
  addressOf,
  countsQuery,
  firstTab,
  kindOfView,
  listQuery,
  withDetail,
} from "../session/address.ts";
import { Refusal } from "../session/client.ts";
import { type PalettePurpose, useSeesAll, useSession } from "../session/session.ts";
import { useAnswer } from "../session/useAnswer.ts";
import { date } from "../words/dates.ts";
import { nameOf, rawName, visible } from "../words/names.ts";
import { figure } from "../words/numbers.ts";
import { type Crumb, Page, type ViewProps } from "./Page.tsx";
import { DifferenceTools, WithoutLevel } from "./WithoutLinks.tsx";

/** The view of a content, a site, a member or a team: facts, role counts, and the list of the chosen tab. */
export function SubjectView({ address, listed }: ViewProps) {
  const { tree, client, navigation, recent } = useSession();
  const { view, id, tab } = address;
  const subjectQuery = { [view]: id };
  const asked = useAnswer("tree", subjectQuery);
  const numbers = useAnswer("counts", subjectQuery);
  const narrowed = useAnswer("counts", countsQuery(address));
  const { subject, ancestors } = asked.answer ?? {};
  const { tabs: lengths } = numbers.answer ?? {};
  // The role counts are those of the view's first list, with its filters while it is shown.
  const mixes = countsQuery(address) === undefined || tab !== firstTab(view) ? numbers : narrowed;
  const roles = mixes === numbers ? numbers.answer?.roles : narrowed.answer?.filtered?.roles;
  // A collection itself has the number of its contents.
  const tabs: Partial<Record<Tab, number>> | undefined =
    lengths && (subject?.kind === "collection" ? { ...lengths, contents: subject.children } : lengths);
  const me = useValue(client.me);
  const all = useSeesAll(true);

  useEffect(() => {
    if (ancestors && (subject?.kind === "space" || subject?.kind === "collection"))
      tree.reveal(ancestors, subject);
    if (asked.answer) rememberOpen(recent, asked.answer);
    if (asked.failure !== undefined) tree.miss(id);
  }, [asked.answer, asked.failure]);

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

  const gone = asked.failure instanceof Refusal && asked.failure.status === 404;
  const about = view === "member" ? "what they can reach" : view === "team" ? "team" : "who has access";
  const total = roles && Object.values(roles).reduce((sum, n) => sum + n, 0);
  // The number of rows in the list of an address: all, or those with one role.
  const lengthOf = (of: Address) => {
    const { role } = listQuery(of) ?? {};
    if (role === undefined) return tabs?.[of.tab || "everyone"];
    return isRole(role) ? numbers.answer?.roles?.[role] : undefined;
  };

  return (
    <Page
      address={address}
      of={`${view} ${id}`}
      way={wayOf(asked.answer, view)}
      icon={!gone && <KindIcon of={subject ?? { kind: kindOfView(view) ?? "organization" }} />}
      ready={subject !== undefined || asked.failure !== undefined}
      heading={gone ? "Not found" : <bdi>{subject ? nameOf(subject) : visible(id)}</bdi>}
      title={subject && `${nameOf(subject)} – ${about}`}
      lead={!gone && <Facts subject={me && subject} />}
      actions={
        <>
          {all && (view === "space" || view === "collection" || view === "site") && (
            <CheckButton what="member">Check a person</CheckButton>
          )}
          {view === "member" && <CheckButton what="content">Check a space</CheckButton>}
          {all && <DifferenceTools view={view} id={address.id} />}
        </>
      }
      file={listQuery(address) && { title: subject && rawName(subject), total: lengthOf(address) }}
      failure={gone ? asked.failure : barred ? numbers.failure : undefined}
      again={asked.again}
    >
      {view !== "team" && tab !== "review" && (
        <>
          <RoleBar
            roles={roles}
            label={view === "member" ? "Mix of roles over spaces" : "Mix of roles"}
            onChoose={(role) => navigation.choose(withRole(address, role))}
          />
          <RoleFilter address={address} roles={roles} total={total} />
        </>
      )}
      <Tabs address={address} counts={tabs} />
      <FilterBar address={address} />
      <ListLengthContext.Provider value={lengthOf(listed)}>
        <ListOf address={listed} subject={subject} />
      </ListLengthContext.Provider>
    </Page>
  );
}

function wayOf(answer: PlaceAnswer | undefined, view: Address["view"]): Crumb[] {
  if (view === "member") return [{ title: "Members", to: { ...HOME, view: "members" } }];
  if (view === "team") return [{ title: "Teams", to: { ...HOME, view: "teams" } }];
  return (answer?.ancestors ?? []).map((each) => ({
    title: nameOf(each),
    to: addressOf("collection", each.id),
  }));
}

function Facts({ subject }: { subject: SubjectNode | undefined }) {
  // Reserves the height of the facts until they are loaded.
  if (!subject) return <Terms class="facts" of={[["\u00a0", ""]]} />;
  return <Terms class="facts" of={[...factsOf(subject), ["Id", <code>{subject.id}</code>]]} />;
}

type Fact = readonly [term: string, value: ComponentChildren];

function factsOf(subject: SubjectNode): Fact[] {
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
      return [levelOf(subject), ["Spaces", figure(subject.spaces)]];
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

function levelOf(subject: SubjectNode & { readonly defaultLevel: string | null }): Fact {
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
