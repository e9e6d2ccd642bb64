/** What the page shows, as its address says it (brief, "Addresses"). All of it is in the query. */
import type { Tab as Listed } from "../../wire.ts";
import { DIFFERENCES, type DifferenceView, differenceQuery, isDifference } from "../differences/query.ts";

export type View =
  | "home"
  | "space"
  | "collection"
  | "site"
  | "member"
  | "team"
  | "members"
  | "teams"
  | DifferenceView;

/** The lists of `access`, and what lies in a collection, which is a level of the tree. */
export type Tab = Listed | "contents";

export interface Address {
  readonly view: View;
  /** Of the thing chosen; "" for home and the two whole lists. */
  readonly id: string;
  /** "" where the view has no tabs. */
  readonly tab: Tab | "";
  /** As it stands in the address: the server says what is wrong with it. */
  readonly role?: string;
  readonly order?: string;
  /** What the list is searched for. */
  readonly q?: string;
  /** Of differences: on what, as `space/ID`; and with whom somebody is compared. */
  readonly on?: string;
  readonly other?: string;
  /** Who Why is open for; for a member on what: a space's id, `collection/ID` or `site/ID`. */
  readonly why?: string;
}

/** The tabs of a view, the first by default. */
export const TABS: Readonly<Record<View, readonly Tab[]>> = {
  home: [],
  space: ["everyone", "people", "teams"],
  collection: ["everyone", "people", "teams", "contents"],
  site: ["everyone", "spaces"],
  member: ["spaces", "teams"],
  team: ["permissions", "members"],
  members: [],
  teams: [],
  without: [],
  compare: [],
  reach: [],
};

export const HOME: Address = { view: "home", id: "", tab: "" };

/** The things that have a view of their own. */
export const SUBJECTS = ["space", "collection", "site", "member", "team"] as const;
const DETAILS = ["role", "order", "q", "on", "other", "why"] as const;

/** The address of a thing's view, on its first tab. */
export function of(view: (typeof SUBJECTS)[number], id: string): Address {
  return { view, id, tab: TABS[view][0] ?? "" };
}

/** Reads the query of the page's address. What is unknown in it is passed over. */
export function parse(search: string): Address {
  const query = new URLSearchParams(search);
  const view = SUBJECTS.find((name) => query.get(name));
  const details: { [key in (typeof DETAILS)[number]]?: string } = {};
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
  for (const list of ["members", "teams"] as const)
    if (query.has(list))
      return { view: list, id: "", tab: "", ...(details.q !== undefined && { q: details.q }) };
  return HOME;
}

/** The query that {@link parse} reads as `address`: "?space=spc_8KqT2&why=ana.lima"; "./" for home. */
export function format(address: Address): string {
  const { view, id, tab } = address;
  if (view === "home") return "./";
  const pairs: string[] = [id === "" ? view : `${view}=${encodeURIComponent(id)}`];
  if (tab !== "" && tab !== TABS[view][0]) pairs.push(`tab=${tab}`);
  for (const name of DETAILS) {
    const value = address[name];
    if (value !== undefined && value !== "") pairs.push(`${name}=${encodeURIComponent(value)}`);
  }
  return `?${pairs.join("&")}`;
}

/** `address` with another detail; `undefined` takes it out. */
export function withDetail(
  address: Address,
  detail: (typeof DETAILS)[number],
  value: string | undefined,
): Address {
  const { [detail]: _, ...rest } = address;
  return value === undefined || value === "" ? rest : { ...rest, [detail]: value };
}

/** The parameters of the list behind an address, for `access` and `csv`; `undefined` for home. */
export function listOf(address: Address): Record<string, string> | undefined {
  const { view, id, tab, role, order, q } = address;
  if (view === "home") return undefined;
  if (isDifference(view)) return differenceQuery(address);
  if (view === "members" || view === "teams") return { list: view, ...(q !== undefined && { q }) };
  if (tab === "contents") return { parent: id };
  const whole = tab === "everyone" || (view === "member" && tab === "spaces");
  return {
    [view]: id,
    ...(tab !== "" && tab !== TABS[view][0] && { tab }),
    ...(whole && role !== undefined && { role }),
    ...(view === "member" && tab === "spaces" && order !== undefined && { order }),
    ...(view === "member" && tab === "teams" && q !== undefined && { q }),
  };
}

/** The parameters of `why` behind an address; `undefined` where Why is closed. */
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
