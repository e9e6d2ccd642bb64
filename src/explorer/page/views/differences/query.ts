/** The addresses of views of differences, and the requests for their lists. */

/**
 * In the address of `without`, `id` is a source as for `rolebook why --without`; of `compare`, a user; of `reach`, a
 * team.
 */
export const DIFFERENCES = ["without", "compare", "reach"] as const;
export type DifferenceView = (typeof DIFFERENCES)[number];

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
export function partsOf(thing: string): { readonly kind: string; readonly id: string } {
  const slash = thing.indexOf("/");
  return { kind: thing.slice(0, slash), id: thing.slice(slash + 1) };
}

/** The parameters with which GET /explorer/access returns the list of the view. */
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
