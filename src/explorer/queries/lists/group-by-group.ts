import { type Page, type PageRequest, pageOf } from "../../../domain/page.ts";

/**
 * Concatenates one list per group, in the order of `groups`. A key of the whole list is a group, a slash and a key of
 * that group's list. A page reads only the groups that it needs.
 */
export async function groupByGroup<Row, Group extends string>(
  { after, limit }: PageRequest<string>,
  groups: readonly Group[],
  key: (row: Row) => string,
  ofGroup: (group: Group, request: PageRequest<string>) => Promise<Page<Row, string>>,
): Promise<Page<Row, string>> {
  const slash = after?.indexOf("/") ?? -1;
  const begun = after?.slice(0, Math.max(0, slash));
  const start = Math.max(
    0,
    groups.findIndex((group) => group === begun),
  );
  const found: { group: Group; row: Row }[] = [];
  for (const group of groups.slice(start)) {
    const behind = group === begun ? after?.slice(slash + 1) : undefined;
    const { entries } = await ofGroup(group, { after: behind, limit: limit + 1 - found.length });
    found.push(...entries.map((row) => ({ group, row })));
    if (found.length > limit) break;
  }
  const { entries, ...more } = pageOf(found, limit, ({ group, row }) => `${group}/${key(row)}`);
  return { ...more, entries: entries.map(({ row }) => row) };
}
