import { useEffect, useLayoutEffect, useState } from "preact/hooks";
import { listOf, type Address } from "../session/address/address.ts";
import { useAnswer } from "../session/ask/answers.ts";
import { isDifference } from "./differences/query.ts";
import type { RowList } from "../session/ask/rowList.ts";
import { useCell } from "../parts/cell.ts";
import { useSession, type Session } from "../session/session.ts";

/**
 * The address of the drawn view. The previous view stays until the first answer or refusal for the new one, so that a
 * slow or absent server leaves something to read.
 */
export function useHeld(address: Address): Address {
  const [held, setHeld] = useState(address);
  const ready = useReady(address);
  useLayoutEffect(() => {
    if (ready) setHeld(address);
  }, [ready, address]);
  return ready ? address : held;
}

/** Whether two addresses have the same subject, on any list. */
export function sameSubject(a: Address, b: Address): boolean {
  return a.view === b.view && a.id === b.id && a.on === b.on && a.other === b.other;
}

function useReady(address: Address): boolean {
  const session = useSession();
  const { view, id } = address;
  const named = id !== "" && !isDifference(view);
  const place = useAnswer(session.places, named ? { [view]: id } : undefined);
  const list = rowListOf(session, address);
  const read = useCell((list ?? session.sites.get({ kind: "site" })).read);
  useEffect(() => {
    if (list && read.known === 0) list.want(0, 0);
  }, [list]);
  if (list === undefined || place.failure !== undefined) return true;
  const listed = read.known > 0 || read.state === "whole" || read.state === "failed";
  return listed && (!named || place.answer !== undefined);
}

/** The list of an address; `undefined` for home. */
function rowListOf(session: Session, address: Address): RowList<unknown> | undefined {
  const query = listOf(address);
  if (query === undefined) return undefined;
  const { view, tab, on } = address;
  if (view === "without") return on === undefined ? session.concerned.get(query) : session.changed.get(query);
  if (view === "compare") return session.compared.get(query);
  if (view === "reach") return on === undefined ? session.opened.get(query) : session.access.get(query);
  if (view === "changes" || (view === "team" && tab === "changes")) return session.changedThings.get(query);
  if (tab === "changes") return session.changedRows.get(query);
  if (view === "members") return session.members.get(query);
  if (view === "contents" || tab === "contents") return session.settled.get(query);
  if (view === "teams" || tab === "teams") return session.teams.get(query);
  if (view === "member") return session.reach.get(query);
  if (view === "team") return tab === "members" ? session.teamMembers.get(query) : session.given.get(query);
  return tab === "spaces" ? session.spaces.get(query) : session.access.get(query);
}
