import { Button } from "../../parts/controls/Button.tsx";
import { Few } from "../../parts/Few.tsx";
import { count } from "../../words/number.ts";
import type { Draft } from "./draft.ts";
import { isKnown, type Rebased } from "./rebase.ts";
import type { Sheet } from "./sheet.ts";

/** Lists the marks on rows that the sheet no longer has, by id: drafts hold no names. */
export function Gone({ rebased: { gone }, draft, sheet }: { rebased: Rebased; draft: Draft; sheet: Sheet }) {
  if (gone.length === 0) return null;
  function discard(): void {
    const rows = new Set(gone.map(({ row }) => row));
    const marked = count(gone.length, "marked row");
    draft.replace((mark) => rows.has(mark.row) && isKnown(mark, sheet), [], `Discarded: ${marked}.`);
  }
  return (
    <details>
      <summary>
        {count(gone.length, "marked row")} {gone.length === 1 ? "is" : "are"} no longer in the sheet, and will
        not be in the file
      </summary>
      <Few
        items={gone}
        first={10}
        noun="more row"
        item={({ row, role, decision, comment }) => (
          <li key={row}>
            <bdi>{row}</bdi>
            {role && `, then ${role}`}: {[decision, comment && `“${comment}”`].filter(Boolean).join(", ")}
          </li>
        )}
      />
      <Button onClick={discard}>Discard these</Button>
    </details>
  );
}
