import { ApiError } from "../../../domain/error.ts";
import { quote } from "../../../domain/text/quote.ts";
import { tidy } from "../../../store/schema/search-terms.ts";
import {
  type Filter,
  type Presence,
  REASONS,
  type ReasonGroup,
  type Sort,
} from "../../queries/filters/filter.ts";
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
  return {
    // A text of blanks does not filter.
    q: tidy(q) === "" ? "" : q,
    reasons: reasonsOf(query.get("reason")),
    ...(role && { role }),
    ...(least && { least }),
    ...(through !== undefined && { through }),
    ...(guests && { guests }),
    ...(deleted && { deleted }),
    ...(query.has("since") && { since: timeOf(query, "since") }),
    ...(sort && { sort }),
  };
}

function reasonsOf(value: string | undefined): ReasonGroup[] {
  if (value === undefined) return [];
  return value.split(",").map((word) => {
    const reason = REASONS.find((each) => each === word);
    if (reason !== undefined) return reason;
    throw new ApiError(
      "badRequest",
      `The parameter reason is ${quote(value)}; accepted: ${REASONS.join(", ")}, or several with commas between.`,
    );
  });
}
