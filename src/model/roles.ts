/** The role of one member on every content. */
import { ADMIN, INHERIT, type Model, NOTHING } from "./model.ts";
import { ROLE } from "./code.ts";
import { holderOf, type Said, saidTo } from "./sites.ts";
import { fillOwn } from "./spaces.ts";

/** The ranks of a member's effective roles on all contents; 0 for no access. */
export function rolesOf(model: Model, member: number): Uint8Array {
  const roles = new Uint8Array(model.contents.count);
  fillOwn(model, member, roles);
  const said = saidTo(model, holderOf(model, member));
  return inherited(model, model.members.roles[member] ?? NOTHING, roles, said);
}

/**
 * The ranks of the effective roles of somebody with an organization role, from those that their teams and direct
 * permissions give on each content itself, and from what sites say to them. Changes `roles`.
 */
export function inherited(
  { contents }: Model,
  organization: number,
  roles: Uint8Array,
  said: Said,
): Uint8Array {
  if (organization === ADMIN) return roles.fill(ADMIN);
  // What is around a content comes before it.
  for (let x = 0; x < roles.length; x++) {
    if (roles[x] !== NOTHING) continue;
    const level = contents.levels[x] ?? INHERIT;
    if (level !== INHERIT) roles[x] = organization === NOTHING ? NOTHING : level;
    else {
      const answer = said(x);
      const parent = contents.parents[x] ?? -1;
      if (answer !== NOTHING) roles[x] = answer & ROLE;
      else roles[x] = parent < 0 ? organization : (roles[parent] ?? NOTHING);
    }
  }
  return roles;
}
