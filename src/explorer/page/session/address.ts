/**
 * What the page shows, as the query of its URL: a view, its subject, a list of the view, and the details that filter,
 * sort or explain this list. From an address follow the filters that its list accepts and the requests for its list, for
 * the numbers of this list and for Why.
 */
import { type ListTab, listOf } from "../../wire/lists.ts";
import { KINDS, type SubjectKind } from "../../wire/protocol.ts";
import { beginOf } from "../words/dates.ts";

/** Views of differences: `id` is a source as for `rolebook without`, a user, or a team. */
const DIFFERENCES = ["without", "compare", "reach"] as const;
/** Views without a subject. */
const LISTS = ["members", "teams", "contents", "found", "changes"] as const;
const CHECKS = ["tidy", "breaches", "decided"] as const;

type DifferenceView = (typeof DIFFERENCES)[number];
export type View = "home" | SubjectKind | DifferenceView | (typeof LISTS)[number] | (typeof CHECKS)[number];

/** A list of GET /explorer/access, or a tab that is no list. */
export type Tab = ListTab | "review" | "changes";

/** The filters, in the order of the URL. `reason` and `change` may be several values, separated by commas; `since` is a day. */
const FILTERS = [
  "role",
  "least",
  "reason",
  "through",
  "guests",
  "admins",
  "deleted",
  "since",
  "change",
  "differs",
  "kind",
  "q",
] as const;
/**
 * The parameters of an address.
 *
 * - `show`: for `list=contents`: `closed`, `broad` or `deleted`; for findings and decided reports: the shown group; for
 *   breaches: the words of the rule.
 * - `on`, `other`: for differences: the content, as `space/ID`, and the other user.
 * - `earlier`, `later`: for changes: the two compared revisions.
 * - `why`: the user whose role Why explains. On a member's view, the content instead: the id of a space, `collection/ID`
 *   or `site/ID`.
 */
const LIST_DETAILS = [...FILTERS, "sort", "order", "show"] as const;
const DETAILS = [...LIST_DETAILS, "on", "other", "earlier", "later", "why"] as const;
type Detail = (typeof DETAILS)[number];

/** The details are those of the URL; the server validates them. */
export interface Address extends Readonly<Partial<Record<Detail, string>>> {
  readonly view: View;
  /** The id of the subject; "" for views without a subject. */
  readonly id: string;
  /** Empty if the view has no tabs. */
  readonly tab: Tab | "";
}

type AddressParameters = Record<string, string>;

/** The tabs of the subjects' views; the first one is the default. */
const TABS: Readonly<Record<SubjectKind, readonly Tab[]>> = {
  space: ["everyone", "people", "teams", "changes", "review"],
  collection: ["everyone", "people", "teams", "contents", "changes", "review"],
  site: ["everyone", "people", "teams", "spaces", "review"],
  member: ["spaces", "teams", "changes", "review"],
  team: ["permissions", "members", "changes"],
};

export const HOME: Address = { view: "home", id: "", tab: "" };

/** The address of a subject, with its first list. */
export function addressOf(kind: SubjectKind | "organization", id: string): Address {
  return kind === "organization" ? HOME : { view: kind, id, tab: firstTab(kind) };
}

export function kindOfView(view: View): SubjectKind | undefined {
  return KINDS.find((kind) => kind === view);
}

export function tabsOf(view: View): readonly Tab[] {
  const kind = kindOfView(view);
  return kind === undefined ? [] : TABS[kind];
}

export function firstTab(view: View): Tab | "" {
  return tabsOf(view)[0] ?? "";
}

/** Parses the query of the page's address. Ignores unknown parameters. */
export function parse(search: string): Address {
  const query = new URLSearchParams(search);
  const details: { [key in Detail]?: string } = {};
  for (const name of DETAILS) {
    const value = query.get(name);
    if (value) details[name] = value;
  }
  const view = [...KINDS, ...DIFFERENCES].find((name) => query.get(name));
  if (view !== undefined) {
    const tab = tabsOf(view).find((name) => name === query.get("tab"));
    return { view, id: query.get(view) ?? "", tab: tab ?? firstTab(view), ...details };
  }
  const list = [...LISTS, ...CHECKS].find((name) => query.has(name));
  return list === undefined ? HOME : { view: list, id: "", tab: "", ...details };
}

/** The WHEN of the page's address (docs/past.md); `undefined` for the current revision. */
export function whenOf(search: string): string | undefined {
  return new URLSearchParams(search).get("at") || undefined;
}

/**
 * The inverse of {@link parse} and {@link whenOf}, such as "?space=spc_8KqT2&why=ana.lima&at=41"; "./" for home at the
 * current revision.
 */
export function format(address: Address, at: string | undefined): string {
  const { view, id, tab } = address;
  const pairs: string[] = view === "home" ? [] : [id === "" ? view : `${view}=${encodeURIComponent(id)}`];
  if (tab !== firstTab(view)) pairs.push(`tab=${tab}`);
  for (const name of view === "home" ? [] : DETAILS)
    if (address[name]) pairs.push(`${name}=${encodeURIComponent(address[name])}`);
  if (at !== undefined) pairs.push(`at=${encodeURIComponent(at)}`);
  return pairs.length === 0 ? "./" : `?${pairs.join("&")}`;
}

/** Sets one parameter of an address; `undefined` removes it. */
export function withDetail(address: Address, detail: Detail, value: string | undefined): Address {
  const { [detail]: _, ...rest } = address;
  return value ? { ...rest, [detail]: value } : rest;
}

/** Closes Why. In a review, `on` belongs to it. */
export function withoutWhy(address: Address): Address {
  const closed = withDetail(address, "why", undefined);
  return address.tab === "review" ? withDetail(closed, "on", undefined) : closed;
}

/** Removes all filters. Search results keep `q`, the text of the search. */
export function withoutFilters(address: Address): Address {
  // On a list of changes, `through` is part of the subject.
  const kept = address.view === "found" ? "q" : isOfChanges(address) ? "through" : "";
  const names = FILTERS.filter((name) => name !== kept);
  return names.reduce<Address>((rest, name) => withDetail(rest, name, undefined), address);
}

/** With this value of `show`, the view `without` lists people by content; by default, it lists contents. */
export const PAIRS = "pairs";

export function isDifference(view: View): view is DifferenceView {
  return DIFFERENCES.some((each) => each === view);
}

/** The address of the effect of removing a source, on one content or on all. */
export function withoutSource(source: string, on?: string): Address {
  return { view: "without", id: source, tab: "", ...(on !== undefined && { on }) };
}

/** Whether a view shows something other than a list of GET /explorer/access. */
function hasNoList(view: View): boolean {
  return view === "home" || CHECKS.some((each) => each === view);
}

/** Whether the list of an address is one of changes between revisions. */
function isOfChanges({ view, tab }: Address): boolean {
  return view === "changes" || tab === "changes";
}

/**
 * The address of what changed from one revision to another: for the subject of an address or, if it is of none and the
 * reader sees everything, for all contents.
 */
export function changesBetween(
  { view, id }: Address,
  all: boolean,
  one: number,
  other: number,
): Address | undefined {
  const [earlier, later] = [one, other].sort((a, b) => a - b).map(String);
  if (earlier === undefined || later === undefined || one === other) return undefined;
  if (tabsOf(view).includes("changes")) return { view, id, tab: "changes", earlier, later };
  return all ? { ...HOME, view: "changes", earlier, later } : undefined;
}

/** Whether the text filter of a list searches titles. Otherwise it searches names and e-mail addresses. */
export function searchesTitles({ view, tab, on, show }: Address): boolean {
  return (
    ["member", "contents", "teams", "compare"].includes(view) ||
    ["spaces", "permissions", "teams", "contents"].includes(tab) ||
    (view === "team" && tab === "changes") ||
    (on === undefined && (view === "reach" || (view === "without" && show !== PAIRS)))
  );
}

/** The parameters that filter or sort the list of an address. */
export function filtersOf(address: Address): readonly (typeof LIST_DETAILS)[number][] {
  if (address.tab === "review") return ["role", ...NARROWING];
  const accepted: readonly string[] = declared(address)?.parameters ?? [];
  // On a list of changes, `through` is part of the subject.
  const hidden = isOfChanges(address) ? "through" : "";
  return LIST_DETAILS.filter((name) => accepted.includes(name) && name !== hidden);
}

/** The list of an address as the wire declares it. */
export function declared(address: Address): ReturnType<typeof listOf> {
  const query = selection(address);
  return query && listOf(new Map(Object.entries(query)));
}

/** The orders of the list of an address, the default first. */
export function sortsOf(address: Address): readonly string[] {
  return declared(address)?.sorts ?? [];
}

/** The parameters that leave rows out of the sheet of a review, as the options of `rolebook report` do. */
export const NARROWING = ["least", "reason", "through", "guests", "admins", "since"] as const;

/** The parameters with which the server makes the sheet of a review. */
export function sheetQuery(address: Address): AddressParameters {
  const narrowing = NARROWING.flatMap((name) => (address[name] ? [[name, address[name]] as const] : []));
  return { [address.view]: address.id, ...Object.fromEntries(narrowing) };
}

/** The filters that the address sets. */
export function activeFilters(address: Address): (typeof FILTERS)[number][] {
  return FILTERS.filter((name) => filtersOf(address).includes(name) && address[name] !== undefined);
}

/** The parameters with which `access` and `csv` return the list of an address; `undefined` if the address has no list. */
export function listQuery(address: Address): AddressParameters | undefined {
  const filters = filtersOf(address).flatMap((name) => {
    const value = address[name];
    return value === undefined ? [] : [[name, name === "since" ? beginOf(value) : value] as const];
  });
  const list = selection(address);
  return list && { ...list, ...Object.fromEntries(filters) };
}

/** The parameters that select the list of an address, without its filters. */
function selection(address: Address): AddressParameters | undefined {
  const { view, id, tab } = address;
  if (hasNoList(view) || tab === "review") return undefined;
  const subject: AddressParameters = id === "" ? { list: view } : { [view]: id };
  if (isOfChanges(address)) return changesQuery(address, subject);
  return isDifference(view)
    ? differenceQuery(address)
    : { ...subject, ...(tab !== firstTab(view) && { tab }) };
}

/** The parameters for the differences between two revisions; `undefined` if the address does not name both. */
function changesQuery(address: Address, subject: AddressParameters): AddressParameters | undefined {
  const { id, tab, earlier, later, through } = address;
  if (earlier === undefined || later === undefined) return undefined;
  return { ...subject, ...(id !== "" && { tab }), earlier, later, ...(through !== undefined && { through }) };
}

function differenceQuery({ view, id, on, other, show }: Address): AddressParameters {
  const subject = on === undefined ? undefined : subjectQuery(on);
  if (view === "without")
    return subject
      ? { ...subject, tab: "without", without: id }
      : { list: show === PAIRS ? PAIRS : "contents", without: id };
  if (view === "reach")
    return subject ? { ...subject, tab: "within", within: id } : { team: id, tab: "reach" };
  return {
    ...(subject ? { ...subject, user: id } : { member: id }),
    tab: "compare",
    ...(other && { with: other }),
  };
}

/** The parameter that names a subject such as "space/ID". */
export function subjectQuery(subject: string): AddressParameters {
  const slash = subject.indexOf("/");
  return { [subject.slice(0, slash)]: subject.slice(slash + 1) };
}

/**
 * The parameters with which `counts` counts a filtered list; `undefined` if the counts of the subject have these
 * numbers already.
 */
export function countsQuery(address: Address): AddressParameters | undefined {
  const filters = activeFilters(address);
  // The counts of the subject include the number of rows with each role.
  // Long lists of differences are not counted, because the server would read them to the end.
  const isCounted =
    filters.length === 0 ||
    isOfChanges(address) ||
    address.show === PAIRS ||
    (filters.join() === "role" && address.tab === firstTab(address.view));
  if (isCounted) return undefined;
  const { sort: _, order: __, ...rest } = address;
  return listQuery(rest);
}

/** The parameters of GET /explorer/why for an address; `undefined` if Why is closed. */
export function whyQuery({ view, id, why, tab, on }: Address): AddressParameters | undefined {
  if (why === undefined) return undefined;
  // A row of a review may be about a content within the subject.
  if (tab === "review" && on !== undefined) return { user: why, ...subjectQuery(on) };
  if (view === "member") {
    return { user: id, ...(/^(?:collection|site)\//u.test(why) ? subjectQuery(why) : { space: why }) };
  }
  if (view === "space" || view === "collection" || view === "site") return { user: why, [view]: id };
  return undefined;
}
