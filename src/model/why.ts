/** One member and one content as `decide` reads them (`domain/ladder.ts`), which also tells why. */
import type { ContentKey } from "../domain/content.ts";
import { decide, type Decision, type Ladder, type MemberRights, type Step } from "../domain/ladder.ts";
import { type Role, roleOf } from "../domain/role.ts";
import { MEMBERSHIP, PERMISSION, valueIn } from "./lists.ts";
import { keyOf, levelOf, type Model, organizationRole } from "./model.ts";
import { accessOn, ROLE } from "./paint.ts";

export function ladderOn(model: Model, content: number): Ladder {
  const { at, entries } = model.contents.teams;
  return accessOn(model, content).levels.map((x) => ({
    content: keyOf(model, x),
    defaultLevel: levelOf(model, x),
    teams: new Map(
      Array.from(entries.subarray(at[x], at[x + 1]), (entry) => [
        model.teams.ids[entry >>> PERMISSION] ?? "",
        roleOf(entry & ROLE),
      ]),
    ),
  }));
}

/** What a member has; of the direct permissions those on the ladder of `content`. */
export function rightsOn(model: Model, member: number, content: number): MemberRights {
  const { at, entries } = model.members.teams;
  const memberships = entries.subarray(at[member], at[member + 1]);
  const direct = new Map<ContentKey, Role>();
  for (const x of accessOn(model, content).levels) {
    const role = valueIn(model.members.permissions, member, x, PERMISSION);
    if (role !== undefined) direct.set(keyOf(model, x), roleOf(role));
  }
  return {
    role: organizationRole(model, member),
    teams: Array.from(memberships, (entry) => model.teams.ids[entry >>> MEMBERSHIP] ?? ""),
    direct,
  };
}

/** The effective role of a member on a content, and what gives it; `undefined` for no access. */
export function decisionOn(
  model: Model,
  member: number,
  content: number,
  report?: (step: Step) => void,
): Decision | undefined {
  return decide(ladderOn(model, content), rightsOn(model, member, content), report);
}
