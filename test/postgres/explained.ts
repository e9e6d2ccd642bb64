import type { Settings } from "./server/cluster.ts";

/** Settings that make a server log the plan of every executed statement; {@link plansIn} reads the log. */
export const EXPLAINING: Settings = {
  session_preload_libraries: "auto_explain",
  log_line_prefix: "%a|",
  "auto_explain.log_min_duration": 0,
  "auto_explain.log_format": "json",
  "auto_explain.log_analyze": true,
  "auto_explain.log_timing": false,
};

/** A statement that was executed, and the session that executed it. */
export interface Run {
  /** The `application_name` of the session, which shows its purpose. */
  readonly session: string;
  /** The statement as it was sent. */
  readonly text: string;
  /** Every step of its plan. */
  readonly steps: readonly Step[];
}

/** A step of an executed plan. */
export interface Step {
  readonly type: string;
  /** The table that the step reads, if any. */
  readonly table: string | undefined;
  /** The condition of the index; empty without an index. */
  readonly condition: string;
  /** The filter of the rows that were read; empty if there is none. */
  readonly filter: string;
  /** The number of rows that the step read: those that it returned, and those that its filter removed. */
  readonly rows: number;
}

/** The used fields of a step in the server's log. */
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
 * The statements in the log of a server with {@link EXPLAINING}, in the order in which they ended. The last statement
 * of a transaction that ends with its session is missing.
 */
export function plansIn(log: string): Run[] {
  // Only continuation lines begin with a tab.
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
