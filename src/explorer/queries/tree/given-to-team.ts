import type { ContentKey } from "../../../domain/content.ts";
import { type Page, type PageRequest, pageOf } from "../../../domain/page.ts";
import { type Role, roleOf } from "../../../domain/role.ts";
import { statement } from "../../../store/engine/engine.ts";
import type { Reading } from "../../../store/reading.ts";
import { holds } from "../../../store/schema/as-of.ts";
import { decoded, type Listed, nextListed } from "./catalog.ts";

export interface GivenPermission extends Listed<ContentKey> {
  readonly role: Role;
}

/** A team's permissions, strongest role first, then by kind and id. */
export async function givenToTeam(
  reading: Reading,
  team: string,
  request: PageRequest<string>,
): Promise<Page<GivenPermission, string>> {
  const rows = await nextListed(reading, `team/${team}`, request.after ?? "", request.limit + 1);
  const entries = rows.map(([position, thing]) => ({
    ...decoded([position, thing]),
    role: roleOf(6 - Number(position.slice(0, 1))),
  }));
  return pageOf(entries, request.limit, ({ position }) => position);
}

const SIZE = statement<[entries: number]>(
  () => `SELECT count(*) FROM catalog c WHERE ${holds("c")} AND c.list = $3`,
);

export async function countGivenToTeam(reading: Reading, team: string): Promise<number> {
  const [row] = await reading.read(SIZE, ...reading.asOf, `team/${team}`);
  return row?.[0] ?? 0;
}
