import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { listOf, type Address } from "../session/address/address.ts";
import { useAnswer } from "../session/ask/answers.ts";
import { isDifference } from "./differences/query.ts";
import { useCell } from "../parts/cell.ts";
import { sitesOf, useSession } from "../session/session.ts";

/**
 * The address of the view that is drawn. The previous view stays until the first answer or refusal for `address`, so
 * that a slow or absent server leaves something to read.
 */
export function useHeld(address: Address): Address {
  const [held, setHeld] = useState(address);
  const ready = useReady(address);
  useLayoutEffect(() => {
    if (ready) setHeld(address);
  }, [ready, address]);
  return ready ? address : held;
}

/** Whether two addresses show the same subject, on whatever tab. */
export function sameSubject(a: Address, b: Address): boolean {
  return a.view === b.view && a.id === b.id && a.on === b.on && a.other === b.other;
}

function useReady(address: Address): boolean {
  const session = useSession();
  const { view, id } = address;
  const named = id !== "" && !isDifference(view);
  const place = useAnswer(session.places, named ? { [view]: id } : undefined);
  const query = listOf(address);
  const list = query && session.lists.get(query);
  const read = useCell((list ?? sitesOf(session)).read);
  useEffect(() => {
    if (list && read.known === 0) list.want(0, 0);
  }, [list]);
  if (list === undefined || place.failure !== undefined) return true;
  const listed = read.known > 0 || read.state === "whole" || read.state === "failed";
  return listed && (!named || place.answer !== undefined);
}
