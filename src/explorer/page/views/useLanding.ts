import { useEffect, useRef } from "preact/hooks";
import { of } from "../session/address/address.ts";
import { useCell } from "../parts/cell.ts";
import { useSession } from "../session/session.ts";
import { seesAll } from "../frame/side/seesAll.ts";

/** Opens the caller's own view in place of the start page if the caller does not see everything. */
export function useLanding(): void {
  const { client, walk } = useSession();
  const me = useCell(client.me);
  const landed = useRef(false);
  useEffect(() => {
    if (!me || landed.current) return;
    landed.current = true;
    const { address } = walk.move.value;
    if (address.view === "home" && !seesAll(me) && me.caller.kind === "member")
      walk.type(of("member", me.caller.id));
  }, [me]);
}
