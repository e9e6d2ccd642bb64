/**
 * A review on the page: what the decisions of a report would change, the change file that carries them out, what became
 * of each row, and the page to sign off. The bytes are those that `rolebook review` prints and writes, from the same code.
 */
import { Type } from "typebox";
import { Compile } from "typebox/schema";
import { ApiError, CommandError } from "../../domain/error.ts";
import { quote } from "../../domain/text.ts";
import { csvLines } from "../../operations/csv.ts";
import {
  type DecidedReport,
  type SavedReport,
  alterationsOf,
  readDecided,
} from "../../review/decided-report.ts";
import { FOLLOWED, follow } from "../../review/outcomes.ts";
import { PREVIEW, changeLines, removalParts } from "../../review/removals.ts";
import { OutcomeCounts, summaryOf, summaryPage } from "../../review/summary.ts";
import type { Reading } from "../../store/reading.ts";
import { revisionFrom } from "../../store/revisions/past.ts";
import { giveTurn } from "../../store/turns.ts";
import { REVIEW_PATH } from "../wire/protocol.ts";
import type { Asking, BodyOperation } from "./operation.ts";
import { refused, wordOf } from "./query.ts";
import { MOST_ROWS } from "./report.ts";
import { mustSeeAll } from "./viewer.ts";

/** The content type of each answer. */
const ANSWERS: Readonly<Record<string, string>> = {
  preview: "text/csv; charset=utf-8",
  changes: "application/x-ndjson",
  outcomes: "text/csv; charset=utf-8",
  "sign-off": "text/html; charset=utf-8",
};
export const REVIEW_ANSWERS = Object.keys(ANSWERS);

const NAME = { minLength: 1, maxLength: 255 };
const BODY = Type.Object(
  {
    report: Type.String({ description: "The saved file: a report of `rolebook report` with decisions." }),
    file: Type.Optional(
      Type.String({
        ...NAME,
        default: "review.csv",
        description: "The file's name, for the commands of the sign-off page.",
      }),
    ),
    by: Type.Optional(
      Type.String({ ...NAME, description: "Who signs off. The answer `sign-off` requires it." }),
    ),
  },
  { additionalProperties: false },
);
const isBody = Compile(BODY);

export const review: BodyOperation = {
  id: "explorerReview",
  path: REVIEW_PATH,
  summary: "Answer a report with decisions",
  description: `Reads a decided report of up to ${MOST_ROWS.toLocaleString("en")} rows, and answers what \`rolebook review\` prints or writes at the current revision. \`preview\`: what the removals would change, as \`--changes FILE --format csv\` prints it; \`changes\`: that change file; \`outcomes\`: what became of each row, as \`--format csv\`; \`sign-off\`: the page that \`--summary FILE.html --by NAME\` writes. \`X-Rolebook-Altered\` is \`yes\` if the report was altered beyond its decisions. Nothing is stored, and nothing changes; the request may be repeated. For callers who see everything.`,
  parameters: ["answer"],
  body: BODY,
  answers: ANSWERS,
  ask(query) {
    const answer = wordOf(query, "answer", REVIEW_ANSWERS);
    if (answer === undefined) throw refused("answer", "", REVIEW_ANSWERS.join(", "));
    return async (asking, body) => {
      mustSeeAll(asking, "answer a review");
      const given = await body();
      if (!isBody.Check(given)) {
        throw new ApiError(
          "badRequest",
          "The body is not a decided report; accepted: an object with report, a text, and perhaps file and by, texts of 1 to 255 characters.",
        );
      }
      const { file = "review.csv", by = "" } = given;
      if (answer === "sign-off" && by.trim() === "")
        throw new ApiError("badRequest", "The body has no by; accepted: the name of who signs off.");
      const saved = savedText(file, given.report);
      const report = await decidedIn(saved, asking);
      const before = await keptReading(asking.reading, report);
      const { altered } = await alterationsOf(saved, report, before);
      return {
        headers: {
          "content-type": ANSWERS[answer] ?? "",
          "x-rolebook-altered": altered === undefined ? "no" : "yes",
        },
        async *texts(reading) {
          if (answer === "changes") {
            for await (const { records } of removalParts(reading, report)) yield changeLines(records);
          } else if (answer === "preview") {
            yield csvLines([PREVIEW.csv]);
            for await (const { lines } of removalParts(reading, report))
              yield csvLines(lines.map(PREVIEW.record));
          } else if (answer === "outcomes") {
            yield csvLines([FOLLOWED.csv]);
            for await (const rows of (await follow(reading, report)).rows)
              yield csvLines(rows.map(FOLLOWED.record));
          } else {
            const { rows, to } = await follow(reading, report);
            const counts = new OutcomeCounts();
            for await (const some of rows) for (const row of some) counts.add(row);
            yield summaryPage(summaryOf(report, { before: before?.at, to }, counts, altered, { file, by }));
          }
        },
      };
    };
  },
};

/** In characters. */
const PIECE = 1 << 16;

function savedText(name: string, text: string): SavedReport {
  return {
    name,
    isRepeatable: false,
    async *read(heard) {
      heard?.(Buffer.from(text));
      // As a file's, the text begins after the byte order mark.
      for (let at = text.startsWith("\uFEFF") ? 1 : 0; at < text.length; at += PIECE) {
        yield text.slice(at, at + PIECE);
        await giveTurn();
      }
    },
  };
}

/** Throws 400 for what is no report, or one of another organization or of a later revision; 413 for too many rows. */
async function decidedIn(saved: SavedReport, { reading: { at } }: Asking): Promise<DecidedReport> {
  const report = await readDecided(saved).catch((error: unknown) => {
    throw error instanceof CommandError ? new ApiError("badRequest", error.message) : error;
  });
  const { organization, revision, rows } = report;
  if (organization !== at.organization) {
    throw new ApiError(
      "badRequest",
      `The report is of organization ${quote(organization)}; accepted: ${at.organization}.`,
    );
  }
  if (revision > at.revision) {
    throw new ApiError(
      "badRequest",
      `The report is of revision ${revision}, and the current one is ${at.revision}; accepted: the same or an earlier one.`,
    );
  }
  if (rows.length > MOST_ROWS) {
    const most = MOST_ROWS.toLocaleString("en");
    throw new ApiError("contentTooLarge", `The report has more than ${most} rows; use rolebook review.`);
  }
  return report;
}

/** Reads the revision of the report; `undefined` if that is not kept. */
async function keptReading(
  to: Reading,
  { organization, revision }: DecidedReport,
): Promise<Reading | undefined> {
  const from = await revisionFrom(to, organization, revision);
  return from?.revision === revision ? to.of(from) : undefined;
}
