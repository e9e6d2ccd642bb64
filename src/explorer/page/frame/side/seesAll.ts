import type { Me } from "../../../wire/home/me.ts";

/** Whether the caller sees everything: an organization token or an organization admin. */
export function seesAll(me: Me | undefined): boolean {
  return me !== undefined && (me.caller.kind === "organization" || me.caller.role === "admin");
}
