import type { Ladder, Subject } from "../../../domain/ladder.ts";
import { rank, type Role } from "../../../domain/role.ts";
import { nearest, type Rule } from "./effective.ts";

/** Rules that GitBook might follow, by their names in the report of a probe. */
export const LADDERS: Readonly<Record<string, Rule>> = {
  "nearest level, a direct role before teams' (Rolebook's rules)": nearest,
  "nearest level, the highest role on it": (ladder, subject) => climb(ladder, subject, false),
  "highest role of all levels": (ladder, subject) => climb(ladder, subject, true),
};

/** The highest role on the first level that gives one; with `goOn`, the highest of all levels. */
function climb(ladder: Ladder, { role, teams, direct }: Subject, goOn: boolean): Role | undefined {
  if (role === "admin") return role;
  const found: Role[] = [];
  for (const { content, teams: given, defaultLevel } of ladder) {
    const here = [direct.get(content), ...teams.map((team) => given.get(team))];
    found.push(...here.filter((each) => each !== undefined));
    if (found.length > 0 && !goOn) return highest(found);
    if (defaultLevel === "inherit") continue;
    return highest(role === null || defaultLevel === null ? found : [...found, defaultLevel]);
  }
  return highest(role === null ? found : [...found, role]);
}

function highest(roles: readonly Role[]): Role | undefined {
  return roles.toSorted((a, b) => rank(b) - rank(a))[0];
}
