import { access } from "./access.ts";
import { counts } from "./counts.ts";
import { breaches } from "./home/breaches.ts";
import { me } from "./home/me.ts";
import type { ExplorerOperation, FileOperation } from "./operation.ts";
import { changes } from "./past/changes.ts";
import { since } from "./past/since.ts";
import { revisions } from "./past/revisions.ts";
import { outcomes } from "./home/outcomes.ts";
import { overview } from "./home/overview.ts";
import { search } from "./search.ts";
import { rules } from "./home/rules.ts";
import { findings } from "./home/findings.ts";
import { tree } from "./tree.ts";
import { why } from "./why/why.ts";
import { without } from "./why/without.ts";

import { csv } from "./files/csv.ts";
import { report } from "./files/report.ts";

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
