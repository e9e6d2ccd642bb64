import type { Settings } from "./cluster.ts";

/** What makes a server write every plan that it has run into its log; see {@link plansIn}. */
export const EXPLAINING: Settings = {
  session_preload_libraries: "auto_explain",
  log_line_prefix: "%a|",
  "auto_explain.log_min_duration": 0,
  "auto_explain.log_format": "json",
  "auto_explain.log_analyze": true,
  "auto_explain.log_timing": false,
};

/** A statement that was run, in the session that the program runs it in. */
export interface Run {
  /** The session's `application_name`: what the program has it for. */
  readonly session: string;
  /** As it was sent. */
  readonly text: string;
  /** Every step of its plan. */
  readonly steps: readonly Step[];
}

/** A step of a plan that was run. */
export interface Step {
  readonly type: string;
  /** The table that is read; absent where none is. */
  readonly table: string | undefined;
  /** By what an index is entered; empty where none is. */
  readonly condition: string;
  /** What rows are kept by once they were read; empty where all are. */
  readonly filter: string;
  /** All that came out of it and all that it threw away. */
  readonly rows: number;
}

/** One step as the server writes it; only what is looked at here. */
interface Node {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Cond"?: string;
  readonly "Recheck Cond"?: string;
  readonly Filter?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Index Recheck"?: number;
  readonly Plans?: readonly Node[];
}

/**
 * The statements in the log of a server that is {@link EXPLAINING}, in the order in which they ended. The last one of
 * a transaction that ends with its session is missing.
 */
export function plansIn(log: string): Run[] {
  // What belongs to a line begins with a tab, and nothing else does.
  return [...log.matchAll(/^([^|\n]*)\|LOG: {2}duration: .* plan:\n((?:\t.*\n)+)/gm)].map(
    ([, session = "", json = ""]) => {
      const { "Query Text": text, Plan: plan }: { "Query Text": string; Plan: Node } = JSON.parse(json);
      return { session, text, steps: stepsIn(plan) };
    },
  );
}

function stepsIn(node: Node): Step[] {
  const each =
    node["Actual Rows"] +
    (node["Rows Removed by Filter"] ?? 0) +
    (node["Rows Removed by Index Recheck"] ?? 0);
  const step: Step = {
    type: node["Node Type"],
    table: node["Relation Name"],
    condition: node["Index Cond"] ?? "",
    filter: [node["Recheck Cond"], node.Filter].join(" ").trim(),
    rows: each * node["Actual Loops"],
  };
  return [step, ...(node.Plans ?? []).flatMap(stepsIn)];
}
