import { date } from "../words/date.ts";

/** Where the date has no room, "deleted" stays. */
export function Deleted({ of }: { of: object & { readonly deletedAt?: string } }) {
  return of.deletedAt === undefined ? null : (
    <span class="tag">
      deleted<i> {date(of.deletedAt)}</i>
    </span>
  );
}
