import { date } from "../words/date.ts";

/** A tag with the date of deletion; nothing for other contents. */
export function Deleted({ of }: { of: object & { readonly deletedAt?: string } }) {
  return of.deletedAt === undefined ? null : <span class="tag">deleted {date(of.deletedAt)}</span>;
}
