import { contentKey, idOf, kindOf } from "../../../domain/content.ts";
import { ApiError } from "../../../domain/error.ts";
import { type ReportScope, scopeSaid } from "../../../domain/scope.ts";
import { oneLine } from "../../../domain/text.ts";
import { type Followed, follow } from "../../../review/outcomes.ts";
import { type DecidedRow, newcomersTo } from "../../../review/decided-report.ts";
import { contents } from "../../../store/directory/inheritance.ts";
import { personOf } from "../../../store/directory/person.ts";
import type { Reading } from "../../../store/reading.ts";
import { subjectsOf } from "../../../store/directory/members.ts";
import { sidesOf } from "../../queries/past/sides.ts";
import { mustSeeAll } from "../allow.ts";
import { limitedRows } from "../files/report-rows.ts";
import type { FileOperation, Query } from "../operation.ts";
import { countOf, only } from "../parameters/read.ts";

/** The largest number of rows of a report. They are all kept in memory. */
const MOST_ROWS = 100_000;

const COLUMNS = [
  ["outcome", "kind", "content", "title", "user", "name", "was", "now", "reason"],
  ["revision", "time", "change"],
].flat();

/**
 * Lists the outcome of each row of a decided report. The page sends only the revision and the scope of the report,
 * never the decisions.
 */
export const outcomes: FileOperation = {
  id: "explorerOutcomes",
  path: "/explorer/outcomes",
  summary: "List the outcome of each row of a report",
  description: `Makes the report of revision \`earlier\` again, with the scope in \`covers\`, and lists the outcome of each row as \`rolebook review\` does, then the people who came since. Names are the current ones, empty for records that no longer exist. Up to ${MOST_ROWS.toLocaleString("en")} rows. For callers who see everything.`,
  parameters: ["earlier", "covers"],
  ask(query) {
    only(query, ["earlier", "covers", "revision"]);
    const earlier = countOf(query, "earlier");
    const scope = scopeIn(query);
    return async (asking) => {
      mustSeeAll(asking, "check a decided report");
      const between = { earlier, later: asking.reading.at.revision };
      if (earlier > between.later) {
        throw new ApiError(
          "badRequest",
          `The report is of revision ${earlier}, and revision ${between.later} is read; accepted: the same or a later one.`,
        );
      }
      await sidesOf(asking.reading, between);
      return {
        columns: COLUMNS,
        head: async ({ at }) => [
          ["Rolebook review"],
          ["organization", at.organization, oneLine(at.title)],
          ["report of revision", String(earlier)],
          ["looked at in revision", String(at.revision), at.importedAt],
        ],
        async *rows(reading) {
          const { before } = await sidesOf(reading, between);
          const rows = await rowsOf(before, scope);
          const newcomers = newcomersTo(scope);
          const { organization } = reading.at;
          const review = await follow(reading, { organization, revision: earlier, rows, newcomers });
          for await (const some of review.rows) yield await cellsOf(reading, some);
        },
      };
    };
  },
};

/** Parses the parameter `covers`: the three cells of the report's header line `covers`, joined by ", ". */
function scopeIn(query: Query): ReportScope {
  const covers = query.get("covers") ?? "";
  const scope = scopeSaid(covers);
  if (scope !== undefined) return scope;
  throw new ApiError(
    "badRequest",
    `The parameter covers is ${JSON.stringify(covers)}; accepted: what the head of a report covers.`,
  );
}

async function rowsOf(before: Reading, scope: ReportScope): Promise<DecidedRow[]> {
  const found: DecidedRow[] = [];
  for await (const rows of limitedRows(before, scope, { rows: MOST_ROWS, command: "rolebook review" })) {
    for (const { content, user, role } of rows) {
      const key = contentKey(content.kind, content.id);
      found.push({ content: key, user: user.id, role, decision: "", comment: "" });
    }
  }
  return found;
}

/** The cells of the given rows, which must all be of one content. Line ends in cells become spaces. */
async function cellsOf(reading: Reading, rows: readonly Followed[]): Promise<string[][]> {
  const [first] = rows;
  if (first === undefined) return [];
  const { content } = first;
  const [loaded, members] = await Promise.all([
    contents(reading, [content]),
    subjectsOf(reading, [...new Set(rows.map(({ user }) => user))]),
  ]);
  const title = loaded.get(content)?.title ?? "";
  return rows.map(({ outcome, user, was, now, reason, since }) => {
    const member = members.get(user);
    const name = member === undefined ? "" : personOf(member).displayName;
    const what = [outcome, kindOf(content), idOf(content), title, user, name, was, now, reason];
    const when = since === undefined ? ["", "", ""] : [String(since.revision), since.time, since.change];
    return [...what, ...when].map(oneLine);
  });
}
