/** What the page shows, as the query of its URL. */
import type { Tab as Listed } from "../../wire/lists.ts";
import { beginOf } from "../words/dates.ts";

/** The filters that each list accepts. */

const FILTERS = [
  "role",
  "least",
  "reason",
  "through",
  "guests",
  "deleted",
  "since",
  "change",
  "differs",
  "kind",
  "q",
] as const;
type Filter = (typeof FILTERS)[number] | "sort" | "order" | "show";

/** The parts of an address that decide on its filters. */
type Filtered = { readonly [name in Filter]?: string } & {
  readonly view: string;
  readonly tab: string;
  readonly on?: string;
  readonly earlier?: string;
};

/** The filters of roles with reasons. */
const ACCESS: readonly Filter[] = ["role", "least", "reason", "through"];

/** The parameters that filter or sort the list of an address. */
export function filtersOf(address: Filtered): readonly Filter[] {
  const { view, tab, earlier } = address;
  if (hasNoList(view)) return [];
  if (tab === "review") return ["role"];
  if (isOfChanges(address)) return earlier === undefined ? [] : ["q", ...changeFiltersOf(view)];
  if (isDifference(view)) return ["q", ...differenceFiltersOf(address)];
  return ["q", "since", ...ownFiltersOf(address)];
}

/** The filters that the address sets. */
export function activeFilters(address: Filtered): (typeof FILTERS)[number][] {
  return FILTERS.filter((name) => filtersOf(address).includes(name) && address[name] !== undefined);
}

/** Whether a view shows something other than a list of GET /explorer/access. */
function hasNoList(view: string): boolean {
  return ["home", "tidy", "breaches", "decided"].includes(view);
}

/** Whether the list of an address is one of changes between revisions. */
function isOfChanges({ view, tab }: Filtered): boolean {
  return view === "changes" || tab === "changes";
}

/** Whether the text filter of a list searches titles. Otherwise it searches names and e-mail addresses. */
export function searchesTitles({ view, tab, on, show }: Filtered): boolean {
  return (
    ["member", "contents", "teams", "compare"].includes(view) ||
    ["spaces", "permissions", "teams", "contents"].includes(tab) ||
    (view === "team" && tab === "changes") ||
    (on === undefined && (view === "reach" || (view === "without" && show !== PAIRS)))
  );
}

function changeFiltersOf(view: string): readonly Filter[] {
  if (view === "member") return ["role", "change", "reason"];
  return [
    "role",
    "change",
    "guests",
    ...(view === "changes" || view === "team" ? [] : (["reason"] as const)),
  ];
}

function differenceFiltersOf(address: Filtered): readonly Filter[] {
  const { view } = address;
  if (view === "compare") return [...ACCESS, "deleted", "differs"];
  if (searchesTitles(address)) return view === "without" ? [] : ["role", "least", "deleted"];
  return [...ACCESS, "guests", view === "without" ? "change" : "sort"];
}

function ownFiltersOf({ view, tab }: Filtered): readonly Filter[] {
  if (view === "members") return ["role", "guests"];
  if (view === "contents") return ["show"];
  if (view === "found") return ["kind"];
  if (view === "team") return tab === "members" ? ["guests"] : ["role", "least", "deleted"];
  if (view === "teams" || (view === "member" && tab === "teams")) return [];
  if (view === "member") return [...ACCESS, "deleted", "sort", "order"];
  if (tab === "spaces" || tab === "contents") return ["deleted"];
  if (tab === "teams") return ["role", "least"];
  return ["guests", "sort", ...(tab === "people" ? (["role", "least"] as const) : ACCESS)];
}

export type View =
  | "home"
  | "space"
  | "collection"
  | "site"
  | "member"
  | "team"
  | "members"
  | "teams"
  | "contents"
  | "found"
  | "changes"
  | "tidy"
  | "breaches"
  | "decided"
  | DifferenceView;

/** A list of GET /explorer/access, or a tab that is no list. */
export type Tab = Listed | "review" | "changes";

export interface Address {
  readonly view: View;
  /** The id of the subject; "" for views without a subject. */
  readonly id: string;
  /** Empty if the view has no tabs. */
  readonly tab: Tab | "";
  /** The filters, as in the URL; the server validates them. */
  readonly q?: string;
  /** For differences: the content, as `space/ID`. */
  readonly on?: string;
  readonly other?: string;
  readonly role?: string;
  readonly least?: string;
  /** One reason, or several separated by commas. */
  readonly reason?: string;
  readonly through?: string;
  readonly guests?: string;
  readonly deleted?: string;
  /** A day: only rows that were not in the list when the day began. */
  readonly since?: string;
  readonly kind?: string;
  /** One direction of a difference, or several with commas between. */
  readonly change?: string;
  readonly differs?: string;
  readonly sort?: string;
  readonly order?: string;
  /**
   * For `list=contents`: `closed`, `broad` or `deleted`. For findings and decided reports: the shown group. For
   * breaches: the words of the rule.
   */
  readonly show?: string;
  /** For changes: the two compared revisions. */
  readonly earlier?: string;
  readonly later?: string;
  /**
   * The user whose role Why explains. On a member's view, the content instead: the id of a space, `collection/ID` or
   * `site/ID`.
   */
  readonly why?: string;
}

/** The tabs of each view; the first one is the default. */
export const TABS: Readonly<Record<View, readonly Tab[]>> = {
  home: [],
  space: ["everyone", "people", "teams", "changes", "review"],
  collection: ["everyone", "people", "teams", "contents", "changes", "review"],
  site: ["everyone", "spaces", "review"],
  member: ["spaces", "teams", "changes", "review"],
  team: ["permissions", "members", "changes"],
  members: [],
  teams: [],
  contents: [],
  found: [],
  changes: [],
  tidy: [],
  breaches: [],
  decided: [],
  without: [],
  compare: [],
  reach: [],
};

export const HOME: Address = { view: "home", id: "", tab: "" };

export const SUBJECTS = ["space", "collection", "site", "member", "team"] as const;
const DETAILS = [...FILTERS, "sort", "order", "show", "on", "other", "earlier", "later", "why"] as const;
type Detail = (typeof DETAILS)[number];

export function of(view: (typeof SUBJECTS)[number], id: string): Address {
  return { view, id, tab: TABS[view][0] ?? "" };
}

/** Parses the query of the page's address. Ignores unknown parameters. */
export function parse(search: string): Address {
  const query = new URLSearchParams(search);
  const view = SUBJECTS.find((name) => query.get(name));
  const details: { [key in Detail]?: string } = {};
  for (const name of DETAILS) {
    const value = query.get(name);
    if (value !== null && value !== "") details[name] = value;
  }
  if (view) {
    const tab = TABS[view].find((name) => name === query.get("tab"));
    return { ...of(view, query.get(view) ?? ""), ...(tab && { tab }), ...details };
  }
  const difference = DIFFERENCES.find((name) => query.get(name));
  if (difference) return { view: difference, id: query.get(difference) ?? "", tab: "", ...details };
  for (const list of [
    "members",
    "teams",
    "contents",
    "found",
    "changes",
    "tidy",
    "breaches",
    "decided",
  ] as const)
    if (query.has(list)) return { view: list, id: "", tab: "", ...details };
  return HOME;
}

/** The WHEN of the page's address (contract, section 10); `undefined` for the current revision. */
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
  if (tab !== "" && tab !== TABS[view][0]) pairs.push(`tab=${tab}`);
  for (const name of view === "home" ? [] : DETAILS) {
    const value = address[name];
    if (value !== undefined && value !== "") pairs.push(`${name}=${encodeURIComponent(value)}`);
  }
  if (at !== undefined) pairs.push(`at=${encodeURIComponent(at)}`);
  return pairs.length === 0 ? "./" : `?${pairs.join("&")}`;
}

/** Sets one parameter of an address; `undefined` removes it. */
export function withDetail(address: Address, detail: Detail, value: string | undefined): Address {
  const { [detail]: _, ...rest } = address;
  return value === undefined || value === "" ? rest : { ...rest, [detail]: value };
}

/** Removes all filters. Search results keep `q`, the text of the search. */
export function withoutFilters(address: Address): Address {
  // On a list of changes, `through` is part of the subject.
  const kept = address.view === "found" ? "q" : isOfChanges(address) ? "through" : "";
  const names = FILTERS.filter((name) => name !== kept);
  return names.reduce<Address>((rest, name) => withDetail(rest, name, undefined), address);
}

/**
 * The parameters with which `access` and `csv` return the list of an address; `undefined` if the address has no list.
 */
export function listQuery(address: Address): Record<string, string> | undefined {
  const { view, id, tab } = address;
  if (hasNoList(view) || tab === "review") return undefined;
  const filters = filtersOf(address).flatMap((name) => {
    const value = address[name];
    return value === undefined ? [] : [[name, name === "since" ? beginOf(value) : value] as const];
  });
  const list = isOfChanges(address)
    ? changesQuery(address)
    : isDifference(view)
      ? differenceQuery(address)
      : {
          ...(id === "" ? { list: view } : { [view]: id }),
          ...(tab !== "" && tab !== TABS[view][0] && { tab }),
        };
  return list && { ...list, ...Object.fromEntries(filters) };
}

/** The parameters for the differences between two revisions; `undefined` if the address does not name both. */
function changesQuery(address: Address): Record<string, string> | undefined {
  const { view, id, tab, earlier, later, through } = address;
  if (earlier === undefined || later === undefined) return undefined;
  const only = through === undefined ? {} : { through };
  return { ...(id === "" ? { list: view } : { [view]: id, tab }), earlier, later, ...only };
}

/**
 * The parameters with which `counts` counts a filtered list; `undefined` if the counts of the subject have these
 * numbers already.
 */
export function countsQuery(address: Address): Record<string, string> | undefined {
  const narrowing = activeFilters(address);
  // The counts of the subject include the number of rows with each role.
  // Long lists of differences are not counted, because the server would read them to the end.
  const counted =
    narrowing.length === 0 ||
    isOfChanges(address) ||
    address.show === PAIRS ||
    (narrowing.join() === "role" && address.tab === TABS[address.view][0]);
  if (counted) return undefined;
  const { sort: _, order: __, ...rest } = address;
  return listQuery(rest);
}

/** The parameters of GET /explorer/why for an address; `undefined` if Why is closed. */
export function whyQuery(address: Address): Record<string, string> | undefined {
  const { view, id, why } = address;
  if (why === undefined) return undefined;
  if (view === "member") {
    const [, kind = "space", thing = why] = /^(collection|site)\/(.*)$/su.exec(why) ?? [];
    return { user: id, [kind]: thing };
  }
  if (view === "space" || view === "collection" || view === "site") return { user: why, [view]: id };
  return undefined;
}

/** The addresses of views of differences, and the requests for their lists. */

/**
 * In the address of `without`, `id` is a source as for `rolebook why --without`; of `compare`, a user; of `reach`, a
 * team.
 */
const DIFFERENCES = ["without", "compare", "reach"] as const;
type DifferenceView = (typeof DIFFERENCES)[number];

interface DifferenceAddress {
  readonly view: string;
  readonly id: string;
  readonly on?: string;
  readonly other?: string;
  readonly show?: string;
}

export function isDifference(view: string): view is DifferenceView {
  return DIFFERENCES.some((each) => each === view);
}

/** With this value of `show`, the view `without` lists people by content; by default, it lists contents. */
export const PAIRS = "pairs";

/** The address of the effect of removing a source, on one content or on all. */
export function withoutSource(source: string, on?: string) {
  return { view: "without", id: source, tab: "", ...(on !== undefined && { on }) } as const;
}

/** Splits a subject such as "space/ID" into kind and id. */
export function subjectParts(thing: string): { readonly kind: string; readonly id: string } {
  const slash = thing.indexOf("/");
  return { kind: thing.slice(0, slash), id: thing.slice(slash + 1) };
}

/** The parameters with which GET /explorer/access returns the list of the view. */
function differenceQuery({ view, id, on, other, show }: DifferenceAddress): Record<string, string> {
  const place = on === undefined ? undefined : subjectParts(on);
  if (view === "without") {
    return place
      ? { [place.kind]: place.id, tab: "without", without: id }
      : { list: show === PAIRS ? PAIRS : "contents", without: id };
  }
  if (view === "reach") {
    return place ? { [place.kind]: place.id, tab: "within", within: id } : { team: id, tab: "reach" };
  }
  const two = other === undefined ? {} : { with: other };
  if (place) return { [place.kind]: place.id, tab: "compare", user: id, ...two };
  return { member: id, tab: "compare", ...two };
}
