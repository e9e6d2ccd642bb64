import { useCell } from "../../parts/cell.ts";
import { useSession } from "../../session/session.ts";
import { Decided } from "../checks/Decided.tsx";
import { Tidy } from "../checks/Tidy.tsx";
import { LastImports } from "./LastImports.tsx";
import { LookAtFirst } from "./LookAtFirst.tsx";
import { Rules } from "./Rules.tsx";
import type { RecordedRules } from "./useRules.ts";

/**
 * The part of the start page for reviewers: rules, lists to check first, checks and the last imports. Only for callers
 * who see everything. With `folded`, the checks and the imports are collapsed at first, so that the tree below them is
 * near.
 */
export function Overview({ rules, folded = false }: { rules: RecordedRules; folded?: boolean }) {
  const { client } = useSession();
  const seesAll = useCell(client.me)?.totals !== undefined;
  // The rules stand first: if they arrived later, they would move everything below.
  if (!rules.ready || !seesAll) return null;
  const more = (
    <>
      <Tidy />
      <Decided />
      <LastImports />
    </>
  );
  return (
    <div class="overview">
      <div>
        <Rules of={rules} />
        <LookAtFirst />
      </div>
      {folded ? (
        <details>
          <summary>Checks and last imports</summary>
          {more}
        </details>
      ) : (
        <div>{more}</div>
      )}
    </div>
  );
}
