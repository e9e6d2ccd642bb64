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

/** One change of a snapshot. Each kind of record uses its own fields; positions wrap around. */
export interface Edit {
  action: "change" | "add" | "remove";
  kind: (typeof KINDS)[number];
  /** The position of the record among its kind; for an addition, its parent. */
  at: number;
  /** A second record: a grantee, a parent (`undefined` for none). */
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

/** One random edit, which shrinks to a change. */
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
