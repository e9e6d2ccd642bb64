import { date } from "../words/date.ts";

/** The date on which a content was deleted; empty if it was not. */
export function Deleted({ of }: { of: object & { readonly deletedAt?: string } }) {
  return of.deletedAt === undefined ? null : <span class="tag">deleted {date(of.deletedAt)}</span>;
}
