import type { Person } from "../../domain/explanation/why.ts";
import type { Member } from "./members.ts";

/** A member as lists show them, from their stored document. */
export function personOf({ id, role, document }: Pick<Member, "id" | "role" | "document">): Person {
  const { displayName, email }: { displayName: string; email?: string } = JSON.parse(document.text);
  return {
    id,
    displayName,
    ...(email === undefined ? {} : { email }),
    ...(role === null ? { guest: true as const } : {}),
  };
}
