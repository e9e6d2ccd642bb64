import { narrowingOf, type Address } from "../session/address/address.ts";
import { wordsThatBegin } from "./match.ts";

/** Reasons as the page names them. */
export const REASONS: Readonly<Record<string, string>> = {
  organization: "organization",
  direct: "direct",
  team: "team",
  default: "default level",
};

/** What a list is narrowed to, in words: ["guests only", "edit or stronger"]. */
export function filterWords(address: Address, names = narrowingOf(address)): string[] {
  return names.map((name) => {
    const value = address[name] ?? "";
    switch (name) {
      case "role":
        return value;
      case "least":
        return `${value} or stronger`;
      case "reason":
        return `because of ${value
          .split(",")
          .map((each) => REASONS[each] ?? each)
          .join(" or ")}`;
      case "through":
        return "through one team";
      case "guests":
        return value === "only" ? "guests only" : "no guests";
      case "deleted":
        return value === "only" ? "deleted only" : "not deleted";
      default:
        return isOfTeams(address) ? `“${value}” in the title` : wordsThatBegin(value);
    }
  });
}

/** The same behind a number: " with edit and a word that begins with “an” (guests only)"; "" for a whole list. */
export function filtered(address: Address): string {
  const names = narrowingOf(address);
  const words = (some: typeof names) => filterWords(address, some);
  const held = words(names.filter((name) => name === "role" || name === "q"));
  const others = words(names.filter((name) => name !== "role" && name !== "q"));
  const first = held.length === 0 ? "" : ` with ${held.join(" and ")}`;
  return others.length === 0 ? first : `${first} (${others.join(", ")})`;
}

/** Said where a filter leaves nothing. */
export function nothingFor(address: Address, noRole: string | undefined): string {
  const names = narrowingOf(address);
  const [words = ""] = filterWords(address);
  if (names.join() === "role" && noRole !== undefined) return noRole;
  if (names.join() !== "q") return `Nothing here matches: ${filterWords(address).join(", ")}.`;
  if (isOfTeams(address)) return `No title contains “${address.q}”.`;
  const texts = isByTitle(address) ? "No title" : "No name or e-mail";
  return `${texts} has ${words}.`;
}

function isOfTeams({ view, tab }: Address): boolean {
  return view === "teams" || tab === "teams";
}

/** Whether the rows of a list are found by a title, and not by a name. */
export function isByTitle(address: Address): boolean {
  return (
    isOfTeams(address) ||
    ["member", "contents"].includes(address.view) ||
    ["spaces", "permissions"].includes(address.tab)
  );
}
