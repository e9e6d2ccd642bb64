import type { ReportScope } from "../../domain/scope.ts";

/** Which newcomers are listed: those whom the same report would list today. */
export interface Newcomers {
  /** Whether only guests are listed. */
  readonly guests: boolean;
  /** The contents on which newcomers are listed; absent if only those that have a row in the report. */
  readonly where: ReportScope | undefined;
}

/** Which newcomers a report is about; `undefined` if it covers only some users or one role. */
export function newcomersTo({ users, role, guests, ...where }: ReportScope): Newcomers | undefined {
  return users === undefined && role === undefined ? { guests: guests === true, where } : undefined;
}
