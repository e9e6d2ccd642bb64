import { ApiError, CommandError } from "../../../domain/error.ts";
import type { Reading } from "../../../store/reading.ts";
import { type ReportRow, reportRows } from "../../../store/report.ts";
import type { ReportScope } from "../../../domain/scope.ts";
import { Turns } from "../../../store/turns.ts";

/** The largest number of rows of a report, and the command that has no such limit. */
interface Limit {
  readonly rows: number;
  readonly command: string;
}

/**
 * The rows of a report in parts; other requests run between parts. Throws 404 if the scope names a record that the
 * revision does not have, and 400 if there are more rows than the limit.
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
