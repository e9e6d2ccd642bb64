import { describe, expect, test } from "vitest";
import { decide, type Level, type MemberRights, type SiteLevel, type Step } from "../../src/domain/ladder.ts";
import { plain, reasonOf, type Titles } from "../../src/domain/reason.ts";
import { explain } from "../../src/domain/why.ts";
import type { ContentKey, DefaultLevel } from "../../src/domain/content.ts";
import type { Role } from "../../src/domain/role.ts";

/** Roles by team. */
type Given = Readonly<Record<string, Role>>;

function level(content: ContentKey, defaultLevel: DefaultLevel, given: Given = {}): Level {
  return { content, defaultLevel, teams: new Map(Object.entries(given)) };
}

describe("the ladder", () => {
  test("of several teams the highest role counts; of equal ones the smallest id is named", () => {
    const teams = new Map<string, Role>([
      ["c", "edit"],
      ["b", "review"],
      ["a", "review"],
      ["d", "create"],
    ]);
    const levels: Level[] = [{ content: "space/S", defaultLevel: "inherit", teams }];
    const decision = decide(levels, { role: null, teams: ["c", "b", "a"], direct: new Map() });
    expect(decision).toMatchObject({ role: "review", rule: "team", team: "a" });
  });

  test("review ranks above edit, whatever order a list has them in", () => {
    const teams = new Map<string, Role>([
      ["a", "edit"],
      ["b", "review"],
    ]);
    const levels: Level[] = [{ content: "space/S", defaultLevel: null, teams }];
    expect(decide(levels, { role: "read", teams: ["a", "b"], direct: new Map() })?.role).toBe("review");
  });

  test("every tried step is reported, the deciding one last", () => {
    const steps: string[] = [];
    decide(
      [level("space/S", "inherit"), level("collection/C", "read")],
      { role: "edit", teams: [], direct: new Map() },
      (step) => steps.push(`${step.rule} ${step.level?.content ?? ""} ${step.outcome}`.replace("  ", " ")),
    );
    expect(steps).toEqual([
      "admin silent",
      "direct space/S silent",
      "team space/S silent",
      "default space/S onward",
      "direct collection/C silent",
      "team collection/C silent",
      "default collection/C decides",
    ]);
  });
});

/** What a site says: its default level, and permissions of teams and of the user U; `null` is no access. */
type Says = Partial<Record<"A" | "B" | "U", Role | null>> & { readonly level?: DefaultLevel };

const titles: Titles = { content: (key) => key, team: (id) => id, site: (id) => id };

/** The space S, in collection C, on these sites. */
function askedBy(
  sites: Readonly<Record<string, Says>>,
  { role = "read", space = "inherit", onSpace = {} }: Partial<AskedBy> = {},
) {
  const said = Object.entries(sites).map(
    ([site, { level: defaultLevel = "inherit", ...given }]): SiteLevel => ({
      site,
      defaultLevel,
      teams: new Map(Object.entries(given).filter(([grantee]) => grantee !== "U")),
    }),
  );
  const ancestry: [Level, ...Level[]] = [
    { ...level("space/S", space, onSpace), sites: said },
    level("collection/C", "inherit", { A: "review" }),
  ];
  const directOnSites = new Map(
    Object.entries(sites).flatMap(([site, { U: given }]) =>
      given === undefined ? [] : [[site, given] as const],
    ),
  );
  const member: MemberRights = { role, teams: ["A", "B"], direct: new Map(), directOnSites };
  const steps: Step[] = [];
  const decision = decide(ancestry, member, (step) => steps.push(step));
  const user = { id: "u", displayName: "Ursula" };
  const organization = { id: "o", title: "Acme" };
  const { sentence, levels } = explain({ organization, user, member, ancestry, titles });
  return {
    decision,
    steps,
    levels,
    sentence: plain(sentence),
    because: decision && plain(reasonOf("space/S", decision, titles).because),
  };
}

interface AskedBy {
  readonly role: Role | null;
  readonly space: DefaultLevel;
  readonly onSpace: Given;
}

describe("a space that asks its sites", () => {
  test.each<[string, Parameters<typeof askedBy>, string, string?]>([
    ["silent ones", [{ Help: {} }], "review", "team A on collection/C"],
    ["a team", [{ Help: { A: "comment" } }], "comment", "team A on site Help"],
    ["the highest of teams", [{ Help: { A: "comment", B: "edit" } }], "edit", "team B on site Help"],
    ["no access is the lowest of teams", [{ Help: { A: null, B: "read" } }], "read", "team B on site Help"],
    ["direct before teams", [{ Help: { U: "read", A: "admin" } }], "read", "direct permission on site Help"],
    ["direct no access", [{ Help: { U: null, A: "admin" } }], "none"],
    ["its level", [{ Help: { level: "edit" } }], "edit", "default level of site Help"],
    ["its level, for a guest", [{ Help: { level: "edit" } }, { role: null }], "none"],
    ["its level `null`", [{ Help: { level: null } }], "none"],
    [
      "the highest of sites",
      [{ Api: { A: "read" }, Help: { level: "edit" } }],
      "edit",
      "default level of site Help",
    ],
    [
      "of equal sites the first",
      [{ Api: { level: "edit" }, Help: { U: "edit" } }],
      "edit",
      "default level of site Api",
    ],
    [
      "no access on one site only",
      [{ Api: { U: null }, Help: { A: "read" } }],
      "read",
      "team A on site Help",
    ],
    ["silent beside no access", [{ Api: { U: null }, Help: {} }], "none"],
    [
      "a guest by a team beside a level",
      [{ Api: { level: "admin" }, Help: { B: "read" } }, { role: null }],
      "read",
    ],
    [
      "not if it has a level",
      [{ Help: { level: "admin" } }, { space: "comment" }],
      "comment",
      "default level here",
    ],
    ["not before its own", [{ Help: { level: "admin" } }, { onSpace: { A: "read" } }], "read", "team A here"],
    [
      "not for organization admins",
      [{ Help: { U: null } }, { role: "admin" }],
      "admin",
      "organization admin",
    ],
  ])("%s", (_, asked, role, because) => {
    const found = askedBy(...asked);
    expect(found.decision?.role ?? "none").toBe(role);
    if (because !== undefined) expect(found.because).toBe(because);
    expect(found.steps.filter(({ outcome }) => outcome === "decides")).toEqual([found.steps.at(-1)]);
    expect(found.steps.at(-1)?.site).toBe(found.decision?.site ?? found.steps.at(-1)?.site);
    const marks = found.levels.flatMap(({ steps }) => steps.filter(({ mark }) => mark === "decides"));
    expect(marks).toHaveLength(1);
  });

  const where = "site Help, which this space is in and inherits from";
  test.each<[Parameters<typeof askedBy>, string]>([
    [[{ Help: { A: "comment" } }], `comment, because team A has comment on ${where}.`],
    [
      [{ Api: { U: null }, Help: { A: "read", B: "edit" } }],
      `edit, because team B has edit on ${where}. It is the highest of 2 team permissions there. It is the highest of what 2 sites say.`,
    ],
    [
      [{ Help: { U: "read", A: null } }],
      `read, because Ursula has read directly on ${where}. A direct permission counts before team A’s no access.`,
    ],
    [[{ Help: { level: "edit" } }], `edit, because the default level of ${where}, is edit.`],
    [[{ Help: { U: null } }], `No access, because Ursula has no access directly on ${where}.`],
    [[{ Help: { A: null } }], `No access, because team A has no access on ${where}.`],
    [
      [{ Help: { level: null } }],
      `No access, because ${where}, is closed and Ursula has no permission on it. What is given further up does not reach past it.`,
    ],
    [
      [{ Help: { level: "edit" } }, { role: null }],
      `No access, because Ursula is a guest and the default level of ${where}, does not count for guests. What is given further up does not reach past it.`,
    ],
  ])("%j in words", (asked, sentence) => {
    expect(askedBy(...asked).sentence).toBe(sentence);
  });

  test("every site is a level of its own between the space and what is above it", () => {
    const { levels } = askedBy({ Api: { A: "read" }, Help: { level: "edit" }, Old: { U: null }, Talk: {} });
    const [, space, ...sites] = levels;
    expect(space?.steps.at(-1)).toMatchObject({ mark: "on", answer: "inherit" });
    expect(
      sites.map(({ kind, id, steps }) => [
        kind,
        id,
        ...steps.map(({ mark, answer, role = "" }) => `${mark} ${answer}${role}`),
      ]),
    ).toEqual([
      ["site", "Api", "none none", "none outweighedread", "not-reached not reached"],
      ["site", "Help", "none none", "none none of 2 teams", "decides edit"],
      ["site", "Old", "none no access", "not-reached not reached", "not-reached not reached"],
      ["site", "Talk", "none none", "none none of 2 teams", "on inherit"],
      ["collection", "C", "not-reached not reached", "not-reached not reached", "not-reached not reached"],
      ["organization", "o", "not-reached not reached"],
    ]);
  });
});
