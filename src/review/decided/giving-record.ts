import type { Decision } from "../../domain/ladder.ts";
import { idOf, kindOf } from "../../domain/content.ts";
import type { Reading } from "../../store/reading.ts";

/** The fields that identify a record, and the one with its role. */
export type GivingRecord = Readonly<Record<string, string | null>>;

/** The record that gives a user the role of a decision. */
export function givingRecord(
  { at: { organization } }: Pick<Reading, "at">,
  user: string,
  { rule, role, level, team }: Decision,
): GivingRecord {
  if (level === undefined) return { object: "member", organization, user, role };
  const kind = kindOf(level.content);
  const id = idOf(level.content);
  if (rule === "default") return { object: kind, id, defaultLevel: role };
  const grantee = team === undefined ? { user } : { team };
  return { object: "permission", [kind]: id, ...grantee, permission: role };
}
