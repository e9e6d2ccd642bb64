import { access } from "./access.ts";
import { counts } from "./counts.ts";
import { me } from "./me.ts";
import type { ExplorerOperation } from "./operation.ts";
import { search } from "./search.ts";
import { tree } from "./tree.ts";
import { why } from "./why.ts";
import { without } from "./without.ts";

export { csv } from "./csv.ts";

/** The questions of the page that are answered in JSON. */
export const EXPLORER_OPERATIONS: readonly ExplorerOperation[] = [
  me,
  tree,
  search,
  counts,
  access,
  why,
  without,
];
