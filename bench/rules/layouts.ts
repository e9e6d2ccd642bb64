import type { Landmarks } from "../data.ts";
import { fiftyRules } from "./fifty.ts";

const HOWS: readonly object[] = [
  { how: "none", from: "admin" },
  { how: "only", from: "create" },
  { how: "all", from: "read" },
  { how: { "at most": 1000 }, from: "review" },
  { how: { "at least": 1 }, from: "create" },
];

/** Fifty rules with the same `who` and `what`, which differ in how many members they allow. */
function alike(who: object | string, what: object | string): object[] {
  return Array.from({ length: 50 }, (_, index) => ({
    rule: `rule ${index}`,
    who,
    what,
    ...HOWS[index % HOWS.length],
  }));
}

/** Fifty rules each, by the name of the layout. */
export const RULE_LAYOUTS: Readonly<Record<string, (marks: Landmarks) => object[]>> = {
  mixed: fiftyRules,
  "every site": () => alike("guests", "sites"),
  "one team, one space": ({ everyoneTeam, ordinaryOpenSpace }) =>
    alike({ team: everyoneTeam }, { space: ordinaryOpenSpace }),
  "half of the spaces": ({ halfCollection }) => alike("guests", { below: halfCollection }),
  "200 exceptions each": (marks) => {
    const users = [
      ...marks.sparse.keepers,
      marks.ordinaryMember,
      marks.heavyMember,
      marks.guest,
      marks.admin,
    ];
    const exceptions = Array.from({ length: 200 }, (_, index) => ({
      who: { user: users[index % users.length] },
      ...(index % 2 === 0 ? { what: { below: marks.ordinaryCollection } } : {}),
      until: "2099-12-31",
      reason: `reason ${index}`,
    }));
    return fiftyRules(marks).map((rule) =>
      "who" in rule && !JSON.stringify(rule).includes("at least") ? { ...rule, except: exceptions } : rule,
    );
  },
};
