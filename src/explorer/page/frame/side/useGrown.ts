import { useEffect, useState } from "preact/hooks";
import type { Address } from "../../session/address/address.ts";
import { useCell } from "../../parts/cell.ts";
import { sitesOf, useSession } from "../../session/session.ts";

/** The directory is shown after this time (ms) at the latest. */
const PATIENCE = 1500;

/**
 * False until the tree and the sites have their final size and the part above them is `ready`. Until then the directory
 * is hidden, so that nothing shifts while it loads.
 */
export function useGrown({ view, id }: Address, ready: boolean): boolean {
  const session = useSession();
  const { tree } = session;
  const list = sitesOf(session);
  const { known, state } = useCell(list.read);
  useCell(tree.changes);
  const [grown, setGrown] = useState(false);
  const content = view === "space" || view === "collection";
  const listed = known > 0 || state === "whole" || state === "failed";
  const still = ready && listed && tree.isStill() && (!content || tree.shows(id));
  useEffect(() => {
    if (still) setGrown(true);
  }, [still]);
  useEffect(() => {
    if (known === 0) list.want(0, 0);
  }, [list]);
  useEffect(() => {
    const timer = setTimeout(() => setGrown(true), PATIENCE);
    return () => clearTimeout(timer);
  }, []);
  return grown || still;
}
