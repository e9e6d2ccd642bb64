/** An organization that has a list of several pages, and names that a spreadsheet would run as formulas. */
import { oracle } from "../../oracle/oracle.ts";
import { type Role, ROLES, type SnapshotRecord } from "../../oracle/records.ts";

const DATE = "2026-01-01T00:00:00Z";
/**
 * Ordinary names, and names that begin like formulas, contain quotes, line ends or commas, or run from right to left.
 */
const NAMES = [
  "Ines Duarte",
  '=HYPERLINK("http://evil.example","Jo")',
  "+49 30 1234",
  "-2+3",
  "@sum(A1)",
  "\tTab",
  "\rReturn",
  'Quo"te, Comma',
  "Two\nlines",
  "עדה לוי",
  " =not at the beginning",
];

/**
 * Organization `multitude`: `size` members, each with a role on space `long` by a direct permission, a team or the
 * organization role. With `turn` 1, everyone has another role.
 */
export function multitude(size: number, turn: 0 | 1 = 0): SnapshotRecord[] {
  const role = (number: number): Role =>
    ROLES[(number * 7 + turn * 3) % (number % 50 === 0 ? 6 : 4)] ?? "read";
  const members = Array.from({ length: size }, (_, number): SnapshotRecord[] => {
    // Ids are scattered, so that neither the order of lines nor the roles show in their order.
    const id = `${number % 9 === 4 ? "=" : ""}m${String((number * 7919) % 100_003).padStart(6, "0")}`;
    const email =
      number % 5 === 0 ? {} : { email: `${number % 7 === 0 ? "-" : ""}m${number}@multitude.example` };
    return [
      { object: "user", id, displayName: `${NAMES[number % NAMES.length]} ${number}`, ...email },
      { object: "member", organization: "multitude", user: id, role: role(number) },
      ...(number % 3 === 0
        ? [{ object: "permission", space: "long", user: id, permission: role(number + 1) } as const]
        : []),
      ...(number % 4 === 0
        ? [{ object: "teamMember", team: "some", user: id, role: "member" } as const]
        : []),
    ];
  });
  return [
    { object: "organization", id: "multitude", title: "Multitude" },
    { object: "team", id: "some", organization: "multitude", title: "=Some, of them", createdAt: DATE },
    {
      object: "space",
      id: "long",
      organization: "multitude",
      title: "Long",
      createdAt: DATE,
      updatedAt: DATE,
    },
    { object: "permission", space: "long", team: "some", permission: turn === 0 ? "review" : "comment" },
    ...members.flat(),
  ];
}

export interface Listed {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly role: Role;
}

/** Everyone on space `long` by the oracle, by user id. */
export function everyoneIn(records: readonly SnapshotRecord[]): Listed[] {
  return oracle(records, { publicUrl: "" })
    .list("multitude", { endpoint: 3, space: "long" })
    .flatMap((item) => {
      if (!("user" in item && "permission" in item) || item.permission === null) return [];
      const { id, displayName, email = "" } = item.user;
      return [{ id, name: displayName, email, role: item.permission }];
    });
}

/** Sorts as the page does: strongest role first, then by id. */
export function strongestFirst(listed: readonly Listed[]): Listed[] {
  return ROLES.toReversed().flatMap((role) => listed.filter((each) => each.role === role));
}
