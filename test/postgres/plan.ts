import { type ClientBase, escapeLiteral } from "pg";
import type { Parameter } from "../../src/store/engine.ts";
import { POSTGRES } from "../../src/store/postgres/dialect.ts";
import type { Recorded } from "./recorder.ts";

/** One step of a plan as EXPLAIN tells it; only what is looked at here. */
interface Node {
  readonly "Node Type": string;
  readonly "Relation Name"?: string;
  readonly "Index Cond"?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Index Recheck"?: number;
  readonly Plans?: readonly Node[];
}

/** A step of a plan that was run. */
export interface Step {
  readonly type: string;
  /** The table that is read; absent where none is. */
  readonly table: string | undefined;
  /** By what an index is entered; empty where none is. */
  readonly condition: string;
  /** All that came out of it and all that it threw away. */
  readonly rows: number;
}

export type PlanMode = "force_generic_plan" | "force_custom_plan";

/** Runs a recorded statement as one that was prepared, with its plan made in one of the two ways; every step of it. */
export async function stepsOf(
  client: ClientBase,
  { wanted, parameters }: Recorded,
  mode: PlanMode,
): Promise<Step[]> {
  await client.query(
    `SET plan_cache_mode = ${mode}; DEALLOCATE ALL; PREPARE asked AS ${wanted.sql(POSTGRES)}`,
  );
  const values = parameters.length === 0 ? "" : `(${parameters.map(literal).join(", ")})`;
  const { rows } = await client.query<{ "QUERY PLAN": readonly { Plan: Node }[] }>(
    `EXPLAIN (ANALYZE, FORMAT JSON) EXECUTE asked${values}`,
  );
  return (rows[0]?.["QUERY PLAN"] ?? []).flatMap(({ Plan }) => stepsIn(Plan));
}

function stepsIn(node: Node): Step[] {
  const loops = node["Actual Loops"];
  const each =
    node["Actual Rows"] +
    (node["Rows Removed by Filter"] ?? 0) +
    (node["Rows Removed by Index Recheck"] ?? 0);
  const step: Step = {
    type: node["Node Type"],
    table: node["Relation Name"],
    condition: node["Index Cond"] ?? "",
    rows: each * loops,
  };
  return [step, ...(node.Plans ?? []).flatMap(stepsIn)];
}

function literal(value: Parameter): string {
  if (value === null) return "NULL";
  if (typeof value === "number") return String(value);
  if (typeof value === "string") return escapeLiteral(value);
  const quoted = value.map((text) => `"${text.replaceAll(/["\\]/g, "\\$&")}"`);
  return escapeLiteral(`{${quoted.join(",")}}`);
}
