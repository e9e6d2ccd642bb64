import { date } from "../words/date.ts";

/** Says of a deleted thing when that was; nothing of others. */
export function Deleted({ of }: { of: object & { readonly deletedAt?: string } }) {
  return of.deletedAt === undefined ? null : <span class="tag">deleted {date(of.deletedAt)}</span>;
}
