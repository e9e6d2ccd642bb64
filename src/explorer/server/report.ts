/** The files of an access review: the sheet to decide on, and what became of the rows of a decided sheet. */
import { contentKey } from "../../domain/content.ts";
import { isDay } from "../../domain/date.ts";
import { ApiError, CommandError } from "../../domain/error.ts";
import { ROLES } from "../../domain/role.ts";
import { type ReportScope, scopeSaid, weakestRole } from "../../domain/scope.ts";
import { oneLine } from "../../domain/text.ts";
import { csvLines } from "../../operations/csv.ts";
import { SHEET_COLUMNS, sheetCells, sheetHead } from "../../operations/csv.ts";
import { OUTCOME_COLUMNS, follow, outcomeCells } from "../../review/outcomes.ts";
import { type DecidedRow, newcomersTo } from "../../review/decided-report.ts";
import type { Reading } from "../../store/reading.ts";
import { type ReportRow, reportRows } from "../../store/report.ts";
import { giveTurn } from "../../store/turns.ts";
import { readingsOf } from "./changed.ts";
import { mayList, mustSeeAll } from "./viewer.ts";
import type { FileOperation } from "./operation.ts";
import { type Query, type SubjectName, countOf, idIn, only, refused, subjectOf, wordOf } from "./query.ts";
import { createHash } from "node:crypto";

/** The largest number of rows that reviewers can decide on the page. The page keeps them all in memory. */
export const MOST_ROWS = 20_000;
const KINDS = ["space", "collection", "site", "member"] as const;
/** What leaves rows out of the sheet. Here `reason` is `direct`, `admins` is `none`, and `since` a day in UTC. */
const NARROWING = ["guests", "admins", "least", "reason", "through", "since"] as const;

export const report: FileOperation = {
  id: "explorerReport",
  path: "/explorer/report",
  summary: "Download the sheet of an access review",
  description: `The report that \`rolebook report\` writes for a space, a collection and everything in it, the spaces of a site, or one member: up to ${MOST_ROWS.toLocaleString("en")} rows. \`guests\` (\`only\`), \`admins\` (\`none\`), \`least\`, \`reason\` (\`direct\`), \`through\` and \`since\` (a day in UTC) leave rows out, as the options of the command do. For callers who see everything.`,
  parameters: [...KINDS, ...NARROWING],
  ask(query) {
    const subject = subjectOf(query, KINDS);
    only(query, [subject.kind, ...NARROWING, "revision"]);
    const scope = { ...scopeOf(subject), ...narrowingOf(query) };
    return async (asking) => {
      mustSeeAll(asking, "review access");
      await mayList(asking, subject);
      return {
        columns: SHEET_COLUMNS,
        head: async (reading) => {
          const { issuer, viewer } = asking;
          const member = viewer.member?.id;
          const decider = member === undefined || issuer === undefined ? undefined : { member, issuer };
          return sheetHead(reading.at, await summed(reading, scope), scope, decider);
        },
        async *rows(reading) {
          for await (const { rows } of reportRows(reading, scope)) yield rows.map(sheetCells);
        },
      };
    };
  },
};

function narrowingOf(query: Query): ReportScope {
  const since = query.get("since");
  if (since !== undefined && !isDay(since)) throw refused("since", since, "a day in UTC, such as 2026-03-01");
  return {
    guests: wordOf(query, "guests", ["only"]) !== undefined,
    withoutAdmins: wordOf(query, "admins", ["none"]) !== undefined,
    least: wordOf(query, "least", ROLES),
    direct: wordOf(query, "reason", ["direct"]) !== undefined,
    team: query.has("through") ? idIn(query, "through") : undefined,
    since,
  };
}

function scopeOf({ kind, id }: SubjectName): ReportScope {
  return kind === "member" ? { users: [id] } : { [`${kind}s`]: [id] };
}

/**
 * The number of the rows and their SHA-256. Both stand in the header, before the rows, so the rows are computed twice.
 */
async function summed(reading: Reading, scope: ReportScope): Promise<{ rows: number; sha256: string }> {
  const hash = createHash("sha256");
  let count = 0;
  for await (const rows of limitedRows(reading, scope, { rows: MOST_ROWS, command: "rolebook report" })) {
    hash.update(csvLines(rows.map(sheetCells)));
    count += rows.length;
  }
  return { rows: count, sha256: hash.digest("hex") };
}

/** The largest number of rows of a report, and the command that has no such limit. */
interface Limit {
  readonly rows: number;
  readonly command: string;
}

/**
 * The rows of a report in parts; other requests run between parts. Throws 404 if the scope names a record that the
 * revision does not have, and 400 if there are more rows than the limit.
 */
async function* limitedRows(
  reading: Reading,
  scope: ReportScope,
  { rows: most, command }: Limit,
): AsyncGenerator<readonly ReportRow[]> {
  let count = 0;
  try {
    for await (const { rows } of reportRows(reading, scope)) {
      count += rows.length;
      if (count > most) {
        const limit = most.toLocaleString("en");
        throw new ApiError("badRequest", `This report has more than ${limit} rows; use ${command}.`);
      }
      yield rows;
      await giveTurn();
    }
  } catch (error) {
    if (error instanceof CommandError) throw new ApiError("notFound", error.message);
    throw error;
  }
}

/** The largest number of rows of a report. They are all kept in memory. */
const MOST_DECIDED = 100_000;

/**
 * Lists the outcome of each row of a decided report. The page sends only the revision and the scope of the report,
 * never the decisions.
 */
export const outcomes: FileOperation = {
  id: "explorerOutcomes",
  path: "/explorer/outcomes",
  summary: "List the outcome of each row of a report",
  description: `Makes the report of revision \`earlier\` again, with the scope in \`covers\`, and lists the outcome of each row as \`rolebook review\` does, then the people who came since. Names are the current ones, empty for records that no longer exist. Up to ${MOST_DECIDED.toLocaleString("en")} rows. For callers who see everything.`,
  parameters: ["earlier", "covers"],
  ask(query) {
    only(query, ["earlier", "covers", "revision"]);
    const earlier = countOf(query, "earlier");
    const scope = scopeIn(query);
    return async (asking) => {
      mustSeeAll(asking, "check a decided report");
      const states = { before: { revision: earlier }, after: {} };
      const { revision } = asking.reading.at;
      if (earlier > revision) {
        throw new ApiError(
          "badRequest",
          `The report is of revision ${earlier}, and revision ${revision} is read; accepted: the same or a later one.`,
        );
      }
      await readingsOf(asking.reading, states);
      return {
        columns: OUTCOME_COLUMNS,
        head: async ({ at }) => [
          ["Rolebook review"],
          ["organization", at.organization, oneLine(at.title)],
          ["report of revision", String(earlier)],
          ["looked at in revision", String(at.revision), at.importedAt],
        ],
        async *rows(reading) {
          const { before } = await readingsOf(reading, states);
          const rows = await rowsOf(before, scope);
          const newcomers = newcomersTo(scope);
          const { organization } = reading.at;
          const weakest = weakestRole(scope);
          const decisions = { organization, revision: earlier, rows, newcomers, weakest };
          const review = await follow(reading, decisions);
          for await (const some of review.rows) yield await outcomeCells(reading, some);
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
  for await (const rows of limitedRows(before, scope, { rows: MOST_DECIDED, command: "rolebook review" })) {
    for (const { content, user, role } of rows) {
      const key = contentKey(content.kind, content.id);
      found.push({ content: key, user: user.id, role, decision: "", comment: "" });
    }
  }
  return found;
}
