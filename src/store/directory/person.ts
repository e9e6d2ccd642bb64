import type { Person } from "../../domain/why.ts";
import { statement } from "../engine/engine.ts";
import type { Reading } from "../reading.ts";
import { holds, memberDoc } from "../schema/as-of.ts";
import { decodeMemberRole } from "../schema/encoding.ts";
import { MEMBERS } from "../schema/set-names.ts";
import type { Member } from "./members.ts";

/** A member as lists show them: the stored document has the name and e-mail address. */
export function personOf({ id, role, document }: Pick<Member, "id" | "role" | "document">): Person {
  const { displayName, email }: { displayName: string; email?: string } = JSON.parse(document.text);
  return {
    id,
    displayName,
    ...(email === undefined ? {} : { email }),
    ...(role === null ? { guest: true as const } : {}),
  };
}

const PEOPLE = statement<[id: string, role: number, text: string, omitted: number]>(
  ({ texts }) => `
    SELECT m.id, m.role, ${memberDoc("m")}, m.omitted
      FROM ${texts("$3", "wanted")} CROSS JOIN place p CROSS JOIN member m
      WHERE p.generation = $1 AND p.universe = ${MEMBERS} AND p.key = wanted.value
        AND ${holds("m")} AND m.position = p.position`,
);

/** The members with the given ids, by id. Ids of users who are not members are absent. */
export async function people(reading: Reading, ids: readonly string[]): Promise<Map<string, Person>> {
  const rows = ids.length === 0 ? [] : await reading.read(PEOPLE, ...reading.asOf, ids);
  return new Map(
    rows.map(([id, role, text, omitted]) => [
      id,
      personOf({ id, role: decodeMemberRole(role), document: { text, omitted } }),
    ]),
  );
}
