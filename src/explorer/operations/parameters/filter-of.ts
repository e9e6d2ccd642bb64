import { ApiError } from "../../../domain/error.ts";
import { quote } from "../../../domain/text.ts";
import { type Direction, DIRECTIONS } from "../../../domain/difference.ts";
import { tidy } from "../../../store/schema/search-terms.ts";
import { type Filter, type Presence, REASONS, type Sort } from "../../queries/filters/filter.ts";
import type { ParameterName, Query } from "../operation.ts";
import { idOf, roleOf, textOf, timeOf, wordOf } from "./read.ts";

export const FILTERS = [
  "q",
  "role",
  "least",
  "reason",
  "through",
  "guests",
  "deleted",
  "since",
  "sort",
  "change",
  "differs",
] as const satisfies readonly ParameterName[];

const PRESENCES: readonly [Presence, ...Presence[]] = ["only", "none"];
const SORTS: readonly [Sort, ...Sort[]] = ["strongest", "id"];

/** Throws 400 for an invalid filter. */
export function filterOf(query: Query): Filter {
  const q = textOf(query);
  const role = roleOf(query, "role");
  const least = roleOf(query, "least");
  const { through, guests, deleted, sort } = {
    through: query.has("through") ? idOf(query, "through") : undefined,
    guests: query.has("guests") ? wordOf(query, "guests", PRESENCES) : undefined,
    deleted: query.has("deleted") ? wordOf(query, "deleted", PRESENCES) : undefined,
    sort: query.has("sort") ? wordOf(query, "sort", SORTS) : undefined,
  };
  const changes = several<Direction>(query, "change", DIRECTIONS);
  const differs = query.has("differs") ? wordOf(query, "differs", PRESENCES) : undefined;
  return {
    // A text of blanks does not filter.
    q: tidy(q) === "" ? "" : q,
    reasons: several(query, "reason", REASONS) ?? [],
    ...(role && { role }),
    ...(least && { least }),
    ...(through !== undefined && { through }),
    ...(guests && { guests }),
    ...(deleted && { deleted }),
    ...(query.has("since") && { since: timeOf(query, "since") }),
    ...(sort && { sort }),
    ...(changes && { changes }),
    ...(differs && { differs }),
  };
}

/** One or several words, separated by commas. Throws 400 for any other text. */
function several<Word extends string>(
  query: Query,
  name: ParameterName,
  accepted: readonly Word[],
): Word[] | undefined {
  const value = query.get(name);
  return value?.split(",").map((text) => {
    const word = accepted.find((each) => each === text);
    if (word !== undefined) return word;
    throw new ApiError(
      "badRequest",
      `The parameter ${name} is ${quote(value)}; accepted: ${accepted.join(", ")}, or several with commas between.`,
    );
  });
}
