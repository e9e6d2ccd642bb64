import { useCell } from "../../parts/cell.ts";
import { useSession } from "../../session/session.ts";
import { Decided } from "../checks/Decided.tsx";
import { Tidy } from "../checks/Tidy.tsx";
import { LastImports } from "./LastImports.tsx";
import { LookAtFirst } from "./LookAtFirst.tsx";
import { Rules } from "./Rules.tsx";

/** Starting points of a review: broken rules, lists to check first, the last imports. For callers who see everything. */
export function Overview() {
  const { client } = useSession();
  if (useCell(client.me)?.totals === undefined) return null;
  return (
    <>
      <Rules />
      <LookAtFirst />
      <Tidy />
      <Decided />
      <LastImports />
    </>
  );
}

/** The same above the tree, for narrow screens. */
export function FoldedOverview() {
  const { client } = useSession();
  if (useCell(client.me)?.totals === undefined) return null;
  return (
    <details class="overview">
      <summary>What to look at first</summary>
      <Overview />
    </details>
  );
}
