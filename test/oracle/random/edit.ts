import * as fc from "fast-check";

import { position } from "./pick.ts";
import type { DefaultLevel, Role } from "../records.ts";
import { contentId, date, defaultLevel, role, title, userId } from "./values.ts";

const KINDS = [
  "member",
  "user",
  "team",
  "teamMember",
  "permission",
  "collection",
  "space",
  "site",
  "siteSpace",
] as const;

/**
 * One edit of a snapshot. Each kind of record uses some of the fields. A position is taken modulo the length of the
 * list that it indexes.
 */
export interface Edit {
  action: "change" | "add" | "remove";
  kind: (typeof KINDS)[number];
  /** The position of the record among those of its kind; for an addition, that of its parent. */
  at: number;
  /** The position of a second record, such as a grantee or a parent; `undefined` for no parent. */
  other: number | undefined;
  toTeam: boolean;
  contentId: string;
  userId: string;
  title: string;
  role: Role;
  guest: boolean;
  owner: boolean;
  date: string;
  defaultLevel: DefaultLevel | undefined;
}

/** A random edit. It shrinks to an edit that changes a record. */
export const edit: fc.Arbitrary<Edit> = fc.record(
  {
    action: fc.constantFrom("change", "add", "remove"),
    kind: fc.constantFrom(...KINDS),
    at: position,
    other: fc.option(position, { nil: undefined, freq: 4 }),
    toTeam: fc.boolean(),
    contentId,
    userId,
    title,
    role,
    guest: fc.boolean(),
    owner: fc.boolean(),
    date,
    defaultLevel,
  },
  { noNullPrototype: true },
);
