/** All requests of the explorer; those for lists are in lists.ts. */
import { breaches, findings } from "./checks.ts";
import { me, overview, rules } from "./home.ts";
import type { ExplorerOperation, FileOperation } from "./operation.ts";
import { changes, revisions, since } from "./past.ts";
import { outcomes, report } from "./report.ts";
import { search } from "./search.ts";
import { tree } from "./tree.ts";
import { why } from "./why.ts";
import { without } from "./without.ts";

import { access, counts, csv } from "./lists.ts";

export const EXPLORER_OPERATIONS: readonly ExplorerOperation[] = [
  me,
  overview,
  tree,
  search,
  counts,
  access,
  why,
  without,
  rules,
  revisions,
  changes,
  since,
];

/** The operations that answer with a CSV file. */
export const EXPLORER_FILES: readonly FileOperation[] = [csv, report, findings, outcomes, breaches];
