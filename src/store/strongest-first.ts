import type { Page, PageRequest } from "../domain/page.ts";
import { type Role, ROLES } from "../domain/role.ts";
import { groupByGroup } from "./group-by-group.ts";

const STRONGEST_FIRST: readonly Role[] = ROLES.toReversed();

/** One list of six, a role each, the strongest role first. */
export function strongestFirst<Row>(
  request: PageRequest<string>,
  key: (row: Row) => string,
  ofRole: (role: Role, request: PageRequest<string>) => Promise<Page<Row, string>>,
): Promise<Page<Row, string>> {
  return groupByGroup(request, STRONGEST_FIRST, key, ofRole);
}
