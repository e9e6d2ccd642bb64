import { type Page, type PageRequest, pageOf } from "../domain/page.ts";
import { isRole, type Role, ROLES } from "../domain/role.ts";

const STRONGEST_FIRST: readonly Role[] = ROLES.toReversed();

/**
 * One list of six, a role each, the strongest role first. A key is the role and the key within its list. The rows of
 * a page are read from as few of the six as fill it.
 */
export async function strongestFirst<Row>(
  { after, limit }: PageRequest<string>,
  key: (row: Row) => string,
  ofRole: (role: Role, request: PageRequest<string>) => Promise<Page<Row, string>>,
): Promise<Page<Row, string>> {
  const slash = after?.indexOf("/") ?? -1;
  const begun = after?.slice(0, Math.max(0, slash));
  const start = isRole(begun) ? STRONGEST_FIRST.indexOf(begun) : 0;
  const found: { role: Role; row: Row }[] = [];
  for (const role of STRONGEST_FIRST.slice(start)) {
    const behind = role === begun ? after?.slice(slash + 1) : undefined;
    const { entries } = await ofRole(role, { after: behind, limit: limit + 1 - found.length });
    found.push(...entries.map((row) => ({ role, row })));
    if (found.length > limit) break;
  }
  const { entries, ...more } = pageOf(found, limit, ({ role, row }) => `${role}/${key(row)}`);
  return { ...more, entries: entries.map(({ row }) => row) };
}
