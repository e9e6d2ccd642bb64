import type { ReportScope } from "../../store/reports/report-scope.ts";

/** Selects the newcomers to list: those whom the same report would list today. */
export interface Newcomers {
  /** Whether only guests are listed. */
  readonly guests: boolean;
  /** The contents on which newcomers are listed; absent if these are only the contents that have a row. */
  readonly where: ReportScope | undefined;
}

/** The newcomers to list for a report; `undefined` if the report covers only one user or one role. */
export function newcomersTo({ user, role, guests, ...where }: ReportScope): Newcomers | undefined {
  return user === undefined && role === undefined ? { guests: guests === true, where } : undefined;
}
