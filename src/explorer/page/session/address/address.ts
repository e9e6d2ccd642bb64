/** The address of what the page shows: the query of its URL. */
import type { Tab as Listed } from "../../../wire/lists.ts";
import { beginOf } from "../../words/day.ts";
import {
  DIFFERENCES,
  type DifferenceView,
  differenceQuery,
  isDifference,
} from "../../views/differences/query.ts";

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
  | "decided"
  | DifferenceView;

/** The lists of `access`, and the tabs that are not lists. */
export type Tab = Listed | "review" | "changes";

export interface Address {
  readonly view: View;
  /** The id of the subject; "" for home and the two whole lists. */
  readonly id: string;
  /** "" if the view has no tabs. */
  readonly tab: Tab | "";
  /** The filters as in the address; the server validates them. */
  readonly q?: string;
  /** For differences: the content as `space/ID`, and the other person of a comparison. */
  readonly on?: string;
  readonly other?: string;
  readonly role?: string;
  readonly least?: string;
  /** One reason, or several with commas between. */
  readonly reason?: string;
  /** The id of a team. */
  readonly through?: string;
  readonly guests?: string;
  readonly deleted?: string;
  /** A day: only access that did not exist at its beginning. */
  readonly since?: string;
  /** For search results: one kind. */
  readonly kind?: string;
  readonly sort?: string;
  readonly order?: string;
  /** For `list=contents`: `closed`, `broad` or `deleted`. For findings and decided reports: a group. */
  readonly show?: string;
  /** For changes: the numbers of the two compared revisions. */
  readonly earlier?: string;
  readonly later?: string;
  /** The user for whom Why is open; on a member's view the content: a space's id, `collection/ID` or `site/ID`. */
  readonly why?: string;
}

/** The tabs of a view, the first by default. */
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
  decided: [],
  without: [],
  compare: [],
  reach: [],
};

export const HOME: Address = { view: "home", id: "", tab: "" };

/** The kinds of subjects that have a view. */
export const SUBJECTS = ["space", "collection", "site", "member", "team"] as const;
const NARROWING = ["role", "least", "reason", "through", "guests", "deleted", "since", "kind", "q"] as const;
const DETAILS = [...NARROWING, "sort", "order", "show", "on", "other", "earlier", "later", "why"] as const;
type Detail = (typeof DETAILS)[number];

/** The address of a subject's view, on its first tab. */
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
  for (const list of ["members", "teams", "contents", "found", "changes", "tidy", "decided"] as const)
    if (query.has(list)) return { view: list, id: "", tab: "", ...details };
  return HOME;
}

/** The WHEN of the page's address (contract, section 10); `undefined` for the current revision. */
export function whenOf(search: string): string | undefined {
  return new URLSearchParams(search).get("at") || undefined;
}

/**
 * The query that {@link parse} and {@link whenOf} parse as `address` and `at`: "?space=spc_8KqT2&why=ana.lima&at=41";
 * "./" for home at the current revision.
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

/** `address` with another value for one parameter. The value `undefined` removes the parameter. */
export function withDetail(address: Address, detail: Detail, value: string | undefined): Address {
  const { [detail]: _, ...rest } = address;
  return value === undefined || value === "" ? rest : { ...rest, [detail]: value };
}

/** The names of the filters that an address's list accepts, including its order. */
export function filtersOf(address: Address): readonly Detail[] {
  const own = ownFiltersOf(address);
  return own === undefined ? [] : ["q", "since", ...own];
}

/**
 * The filters of a list besides `q` and `since`, which every list with filters has; `undefined` for a list without
 * filters.
 */
function ownFiltersOf({ view, tab }: Address): readonly Detail[] | undefined {
  if (tab === "review" || tab === "changes") return undefined;
  switch (view) {
    case "changes":
    case "home":
    case "tidy":
    case "decided":
    case "without":
    case "compare":
    case "reach":
      return undefined;
    case "members":
      return ["role", "guests"];
    case "teams":
      return [];
    case "contents":
      return ["show"];
    case "found":
      return ["kind"];
    case "team":
      return tab === "members" ? ["guests"] : ["role", "least", "deleted"];
    case "member":
      return tab === "teams" ? [] : ["role", "least", "reason", "through", "deleted", "sort", "order"];
    default:
      if (tab === "spaces" || tab === "contents") return ["deleted"];
      if (tab === "teams") return ["role", "least"];
      return [
        "role",
        "least",
        "guests",
        "sort",
        ...(tab === "people" ? [] : (["reason", "through"] as const)),
      ];
  }
}

/** The active filters of an address's list. */
export function narrowingOf(address: Address): Detail[] {
  return NARROWING.filter((name) => filtersOf(address).includes(name) && address[name] !== undefined);
}

/** The address of the unfiltered list. Search results keep their text. */
export function whole(address: Address): Address {
  const names = address.view === "found" ? NARROWING.filter((name) => name !== "q") : NARROWING;
  return names.reduce<Address>((rest, name) => withDetail(rest, name, undefined), address);
}

/** Whether a view shows no list of `access`. */
function isOwn(view: View): boolean {
  return view === "home" || view === "tidy" || view === "decided";
}

/** The parameters of the list that an address shows, for `access` and `csv`; `undefined` if it shows none. */
export function listOf(address: Address): Record<string, string> | undefined {
  const { view, id, tab } = address;
  if (isOwn(view) || tab === "review") return undefined;
  if (view === "changes" || tab === "changes") return changesQuery(address);
  if (isDifference(view)) return differenceQuery(address);
  const filters = filtersOf(address).flatMap((name) => {
    const value = address[name];
    return value === undefined ? [] : [[name, name === "since" ? beginOf(value) : value] as const];
  });
  return {
    ...(id === "" ? { list: view } : { [view]: id }),
    ...(tab !== "" && tab !== TABS[view][0] && { tab }),
    ...Object.fromEntries(filters),
  };
}

/** The parameters of a difference between two revisions; `undefined` if the address names none. */
function changesQuery(address: Address): Record<string, string> | undefined {
  const { view, id, tab, earlier, later, through } = address;
  if (earlier === undefined || later === undefined) return undefined;
  const only = through === undefined ? {} : { through };
  return { ...(id === "" ? { list: view } : { [view]: id, tab }), earlier, later, ...only };
}

/**
 * The parameters with which `counts` returns the counts of a filtered list; `undefined` if the whole list has these
 * counts.
 */
export function countsOf(address: Address): Record<string, string> | undefined {
  const narrowing = narrowingOf(address);
  // The counts of the whole list already have the number of rows with each role.
  const counted =
    narrowing.length === 0 || (narrowing.join() === "role" && address.tab === TABS[address.view][0]);
  if (counted) return undefined;
  const { sort: _, order: __, ...rest } = address;
  return listOf(rest);
}

/** The parameters of `why` for an address; `undefined` if Why is closed. */
export function whyOf(address: Address): Record<string, string> | undefined {
  const { view, id, why } = address;
  if (why === undefined) return undefined;
  if (view === "member") {
    const [, kind = "space", thing = why] = /^(collection|site)\/(.*)$/su.exec(why) ?? [];
    return { user: id, [kind]: thing };
  }
  if (view === "space" || view === "collection" || view === "site") return { user: why, [view]: id };
  return undefined;
}
