/** The filters of a list in words. */
import { type Address, activeFilters, filtersOf, searchesTitles } from "../session/address.ts";
import { beginOf, date } from "./dates.ts";
import { inWords } from "./search.ts";

/** The labels of the groups of reasons. */
export const REASONS: Readonly<Record<string, string>> = {
  organization: "organization",
  direct: "direct",
  team: "team",
  default: "default level",
};

/** The page's names of directions. */
export const DIRECTIONS: Readonly<Record<string, string>> = {
  lost: "access lost",
  lowered: "lower role",
  raised: "higher role",
  gained: "access gained",
};

function several(value: string, names: Readonly<Record<string, string>>): string {
  return value
    .split(",")
    .map((each) => names[each] ?? each)
    .join(" or ");
}

/** The labels of kinds of search results, in list order. */
export const KIND_LABELS: Readonly<Record<string, string>> = {
  collection: "collections",
  space: "spaces",
  site: "sites",
  team: "teams",
  member: "members",
};

/** The filters of a list in words, such as ["guests only", "edit or stronger"]. */
function filterWords(address: Address, names = activeFilters(address)): string[] {
  return names.map((name) => {
    const value = address[name] ?? "";
    switch (name) {
      case "role":
        return value;
      case "least":
        return `${value} or stronger`;
      case "reason":
        return `because of ${several(value, REASONS)}`;
      case "change":
        return several(value, DIRECTIONS);
      case "differs":
        return value === "only" ? "differences only" : "alike only";
      case "through":
        return "through one team";
      case "guests":
        return value === "only" ? "guests only" : "no guests";
      case "admins":
        return "without organization admins";
      case "deleted":
        return value === "only" ? "deleted only" : "not deleted";
      case "since":
        return `${sinceWords(address)} ${since(value)}`;
      case "kind":
        return KIND_LABELS[value] ?? value;
      default:
        return inWords(value);
    }
  });
}

/** What the filter by a day finds: in lists with roles, also who rose. */
export function sinceWords(address: Address): string {
  return filtersOf(address).includes("role") ? "new or risen since" : "new since";
}

/** Formats a day as "2 Sep 2026"; invalid text is returned unchanged. */
function since(day: string): string {
  const begin = beginOf(day);
  return begin === day ? day : date(begin);
}

/**
 * The filters in words, to follow a number of rows, such as " with edit and “an” in a word (guests
 * only)"; "" without filters.
 */
export function filterPhrase(address: Address): string {
  const names = activeFilters(address);
  const words = (some: typeof names) => filterWords(address, some);
  const held = words(names.filter((name) => name === "role" || name === "q"));
  const others = words(names.filter((name) => name !== "role" && name !== "q"));
  const first = held.length === 0 ? "" : ` with ${held.join(" and ")}`;
  return others.length === 0 ? first : `${first} (${others.join(", ")})`;
}

/** The text that replaces the rows if no row passes the filters. */
export function noMatchText(address: Address, noRole: string | undefined): string {
  const names = activeFilters(address);
  const [words = ""] = filterWords(address);
  if (names.join() === "role" && noRole !== undefined) return noRole;
  if (names.join() !== "q") return `Nothing here matches: ${filterWords(address).join(", ")}.`;
  const texts = searchesTitles(address) ? "No title" : "No name or e-mail";
  return `${texts} has ${words}.`;
}

/** The headings of the lists of contents with a setting. */
export const SETTINGS: Readonly<Record<string, string>> = {
  closed: "Closed contents",
  broad: "Edit or stronger by default",
  deleted: "Deleted spaces",
  spaces: "Spaces",
  collections: "Collections",
};
