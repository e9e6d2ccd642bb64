import type { Person } from "../../domain/why.ts";
import type { Reading } from "../reading.ts";
import { type Member, membersById } from "./members.ts";

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

/** The members with the given ids, by id. Ids of users who are not members are absent. */
export async function people(reading: Reading, ids: readonly string[]): Promise<Map<string, Person>> {
  const found = await membersById(reading, ids);
  return new Map(Array.from(found, ([id, member]) => [id, personOf(member)]));
}
