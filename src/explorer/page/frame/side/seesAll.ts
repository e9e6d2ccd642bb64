import type { Me } from "../../../wire/home/me.ts";

/** Whether a caller sees the whole organization. */
export function seesAll(me: Me | undefined): boolean {
  return me !== undefined && (me.caller.kind === "organization" || me.caller.role === "admin");
}
