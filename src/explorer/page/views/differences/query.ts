/** The addresses of differences: without a source, between two people, through a team. */

/** The views of differences. Their `id` is a source in the form of `rolebook why --without`, a user, or a team. */
export const DIFFERENCES = ["without", "compare", "reach"] as const;
export type DifferenceView = (typeof DIFFERENCES)[number];

/** The parts of an address of differences. */
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

/** The value of `show` that lists every affected person on every content. By default, the contents are listed. */
export const PAIRS = "pairs";

/** The effect of removing a source, on all contents or on one. */
export function withoutSource(source: string, on?: string) {
  return { view: "without", id: source, tab: "", ...(on !== undefined && { on }) } as const;
}

/** The kind and id of a subject such as "space/ID". */
export function partsOf(thing: string): { readonly kind: string; readonly id: string } {
  const slash = thing.indexOf("/");
  return { kind: thing.slice(0, slash), id: thing.slice(slash + 1) };
}

/** The parameters with which `access` returns the list of an address of differences. */
export function differenceQuery({ view, id, on, other, show }: DifferenceAddress): Record<string, string> {
  const place = on === undefined ? undefined : partsOf(on);
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

/**
 * The parameters with which `csv` returns the file of an address of differences. If a source is removed from all
 * contents, the file has every affected person on every content.
 */
export function fileQuery(address: DifferenceAddress): Record<string, string> {
  const { view, id, on } = address;
  return view === "without" && on === undefined ? { list: PAIRS, without: id } : differenceQuery(address);
}
