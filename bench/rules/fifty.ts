import { ROLES } from "../../src/domain/role.ts";
import type { Landmarks } from "../data.ts";

/** Fifty rules about special and ordinary subjects of a generated organization, with every kind of who, what and how. */
export function fiftyRules(marks: Landmarks): object[] {
  const team = { team: marks.everyoneTeam };
  const whats = [
    { space: marks.directSpace },
    { space: marks.manyTeamsSpace },
    { space: marks.manyTeamsOpenSpace },
    { space: marks.sparse.space },
    { space: marks.ordinaryOpenSpace },
    { space: marks.ordinaryClosedSpace },
    { below: marks.ordinaryCollection },
    { site: marks.openSite },
    { site: marks.closedSite },
    { site: marks.guestSite },
  ];
  const kinds = [
    { who: "guests", how: "none", from: "edit" },
    { who: { "everybody but": { role: "admin" } }, how: { "at most": 1000 }, from: "review" },
    { who: [team, { user: marks.ordinaryMember }, { role: "admin" }], how: "only", from: "create" },
    { how: { "at least": 1 }, from: "create" },
  ];
  const rules = whats.flatMap((what, place) =>
    kinds.map((kind, index) => ({ rule: `${place} ${index}`, what, ...kind })),
  );
  const others = [
    { rule: "team", who: team, what: { space: marks.ordinaryOpenSpace }, how: "all", from: "read" },
    { rule: "direct", what: { below: marks.ordinaryCollection }, how: "none", permissions: "direct" },
    { rule: "guests", who: "guests", what: { site: marks.openSite }, how: "none", permissions: "direct" },
    { rule: "admins", what: "organization", how: { "at most": 5 }, role: "admin" },
    ...ROLES.map((role) => ({ rule: role, what: { space: marks.directSpace }, how: { "at most": 9 }, role })),
  ];
  return [...rules, ...others];
}
