/** The filters that each list accepts. */
import { isDifference, PAIRS } from "../../views/differences/query.ts";

export const NARROWING = [
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
type Filter = (typeof NARROWING)[number] | "sort" | "order" | "show";

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
  if (isOwn(view)) return [];
  if (tab === "review") return ["role"];
  if (isOfChanges(address)) return earlier === undefined ? [] : ["q", ...changeFiltersOf(view)];
  if (isDifference(view)) return ["q", ...differenceFiltersOf(address)];
  return ["q", "since", ...ownFiltersOf(address)];
}

/** The filters that the address sets. */
export function narrowingOf(address: Filtered): (typeof NARROWING)[number][] {
  return NARROWING.filter((name) => filtersOf(address).includes(name) && address[name] !== undefined);
}

/** Whether a view shows something other than a list of GET /explorer/access. */
export function isOwn(view: string): boolean {
  return ["home", "tidy", "breaches", "decided"].includes(view);
}

/** Whether the list of an address is one of changes between revisions. */
export function isOfChanges({ view, tab }: Filtered): boolean {
  return view === "changes" || tab === "changes";
}

/** Whether the text filter of a list searches titles. Otherwise it searches names and e-mail addresses. */
export function isByTitle({ view, tab, on, show }: Filtered): boolean {
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
  if (isByTitle(address)) return view === "without" ? [] : ["role", "least", "deleted"];
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
