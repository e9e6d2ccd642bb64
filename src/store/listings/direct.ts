import type { ContentKey } from "../../domain/content.ts";
import { type Page, type PageRequest, pageOf } from "../../domain/page.ts";
import type { Role } from "../../domain/role.ts";
import type { Person } from "../../domain/why.ts";
import { decodeMemberRole, posting } from "../codes.ts";
import { statement } from "../engine.ts";
import { personOf } from "../person.ts";
import type { Reading } from "../reading.ts";

const GIVEN = statement<[id: string, role: number, text: string, omitted: number]>(
  () => `
    SELECT m.id, m.role, m.doc, m.omitted
      FROM posting p JOIN member m ON m.snapshot = p.snapshot AND m.id = p.member
      WHERE p.snapshot = $1 AND m.snapshot = $1 AND p.source = $2 AND p.member > $3
      ORDER BY p.member LIMIT $4`,
);

/** The users who were given exactly `role` on that very content, by id. */
export async function usersGiven(
  reading: Reading,
  content: ContentKey,
  role: Role,
  { after, limit }: PageRequest<string>,
): Promise<Page<Person, string>> {
  const rows = await reading.read(
    GIVEN,
    reading.snapshot,
    posting.given(role, content),
    after ?? "",
    limit + 1,
  );
  const entries = rows.map(([id, own, text, omitted]) =>
    personOf({ id, role: decodeMemberRole(own), document: { text, omitted } }),
  );
  return pageOf(entries, limit, ({ id }) => id);
}
