/** An organization of unusual data: names that are blank, reverse text or are very long, and a deep, tall tree. */
import type { Role, SnapshotRecord } from "../../../oracle/records.ts";

const DATE = "2026-01-01T00:00:00Z";
const ORGANIZATION = "odd";

/** The depth of nested collections: the limit (docs/snapshot.md). */
export const DEPTH = 32;
export const LONGEST = `Wolfeschlegelsteinhausenbergerdorff${"welchevoralternwaren".repeat(9)}`;

const space = (id: string, title: string, more: object = {}): SnapshotRecord => ({
  object: "space",
  id,
  organization: ORGANIZATION,
  title,
  createdAt: DATE,
  updatedAt: DATE,
  ...more,
});

const member = (
  id: string,
  displayName: string,
  email?: string,
  role: Role | null = "edit",
): SnapshotRecord[] => [
  { object: "user", id, displayName, ...(email === undefined ? {} : { email }) },
  { object: "member", organization: ORGANIZATION, user: id, role },
];

/** The title of level `depth`, from 1. */
export const levelTitle = (depth: number) => `Level ${depth} of the deep documentation`;

function deepTree(): SnapshotRecord[] {
  return Array.from({ length: DEPTH }, (_, at): SnapshotRecord => ({
    object: "collection",
    id: `deep-${at + 1}`,
    organization: ORGANIZATION,
    title: levelTitle(at + 1),
    ...(at === 0 ? {} : { parent: `deep-${at}` }),
    defaultLevel: at % 5 === 4 ? null : "inherit",
  }));
}

export const odd: readonly SnapshotRecord[] = [
  { object: "organization", id: ORGANIZATION, title: "Odd" },
  ...member("blank", " \u00a0\u2003", "blank@odd.example"),
  ...member("nameless", "\u3164\u200b"),
  ...member("turned", "Ann\u202Egnp.exe", "turned@odd.example"),
  ...member("isolated", "\u2067Bo\u2069 b", "isolated@odd.example", "admin"),
  ...member("long", LONGEST, `${"long".repeat(20)}@odd.example`, "admin"),
  ...member("../../..", "Dots", "dots@odd.example"),
  ...member("rtl", "עדה לוי", "ada@odd.example", null),
  ...member("zalgo", "Z̸̡̢̧̛̺̗̲̲͎̿͛̑̓͝a̷l̵g̶o̵", "zalgo@odd.example"),
  ...member("plain", "Plain Jane", "jane@odd.example", "read"),
  { object: "team", id: "fifty", organization: ORGANIZATION, title: "Team \u202Esneyef", createdAt: DATE },
  ...Array.from({ length: 50 }, (_, at): SnapshotRecord[] => [
    { object: "team", id: `t${at}`, organization: ORGANIZATION, title: `Tied ${at}`, createdAt: DATE },
    { object: "teamMember", team: `t${at}`, user: "plain", role: "member" },
    { object: "permission", space: "tied", team: `t${at}`, permission: "review" },
  ]).flat(),
  { object: "permission", space: "tied", team: "fifty", permission: "comment" },
  space("tied", "Tied"),
  space("blank-title", "\u2003 "),
  space("turned-title", "Invoice\u202Efdp.exe"),
  space("long-title", LONGEST),
  space("slashes", 'CON: a/b\\c <"report">?*|'),
  space("gone", "Gone", { deletedAt: "2026-03-04T05:06:07Z" }),
  ...deepTree(),
  space("deepest", "Deepest", { parent: `deep-${DEPTH}` }),
  { object: "permission", space: "deepest", user: "rtl", permission: "comment" },
  // Taller than any window.
  ...Array.from({ length: 60 }, (_, at) => space(`tall-${at}`, `Tall ${String(at).padStart(2, "0")}`)),
  ...Array.from({ length: 9 }, (_, at): SnapshotRecord => ({
    object: "permission",
    space: `tall-${at}`,
    user: "plain",
    permission: "admin",
  })),
  { object: "site", id: "all", organization: ORGANIZATION, title: "All \u2066of it" },
  ...["tied", "deepest", "gone", "blank-title"].map((id): SnapshotRecord => ({
    object: "siteSpace",
    site: "all",
    space: id,
  })),
];
