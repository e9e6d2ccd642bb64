import { ApiError, CommandError } from "../../../domain/error.ts";
import type { Reading } from "../../../store/reading.ts";
import { type ReportRow, reportRows } from "../../../store/reports/report.ts";
import type { ReportScope } from "../../../store/reports/report-scope.ts";
import { Turns } from "../../../store/turns.ts";

/** The largest number of rows, and the command for more. */
interface Limit {
  readonly rows: number;
  readonly command: string;
}

/**
 * The rows of a report in parts; yields to other requests in between. Throws 404 if the revision lacks a named
 * record, and 400 above the limit.
 */
export async function* limitedRows(
  reading: Reading,
  scope: ReportScope,
  { rows: most, command }: Limit,
): AsyncGenerator<readonly ReportRow[]> {
  let count = 0;
  const turns = new Turns();
  try {
    for await (const { rows } of reportRows(reading, scope)) {
      count += rows.length;
      if (count > most) {
        const limit = most.toLocaleString("en");
        throw new ApiError("badRequest", `This report has more than ${limit} rows; use ${command}.`);
      }
      yield rows;
      await turns.give();
    }
  } catch (error) {
    if (error instanceof CommandError) throw new ApiError("notFound", error.message);
    throw error;
  }
}
