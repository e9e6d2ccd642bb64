import { useCell } from "../../parts/cell.ts";
import { useSession } from "../../session/session.ts";
import { LastImports } from "./LastImports.tsx";
import { LookAtFirst } from "./LookAtFirst.tsx";
import { Rules } from "./Rules.tsx";

/** Where a review begins: broken rules, what to look at first, the last imports. For those who see everything. */
export function Overview() {
  const { client } = useSession();
  if (useCell(client.me)?.totals === undefined) return null;
  return (
    <>
      <Rules />
      <LookAtFirst />
      <LastImports />
    </>
  );
}

/** The same above the tree, where both have to share a narrow screen. */
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
