/** The files of the checks: the breaches of a recorded rule, and what can be tidied up. */
import { ApiError } from "../../domain/error.ts";
import { oneLine } from "../../domain/text.ts";
import { evaluate } from "../../review/check.ts";
import { BREACH_COLUMNS, breachCells, breachLines } from "../../review/breaches.ts";
import { resolveRules } from "../../review/resolve.ts";
import { FINDING_COLUMNS, findingCells } from "../../domain/findings.ts";
import { tidy } from "../../review/tidy.ts";
import { modelOf } from "../../store/models.ts";
import { workInTurns } from "../../store/turns.ts";
import { mustSeeAll } from "./viewer.ts";
import type { TableFile, FileOperation } from "./operation.ts";
import { only } from "./query.ts";

/** The largest number of breaches that are listed, and how many of them are named together. */
const MOST_BREACHES = 10_000;
const STEP = 100;

/** Checks a recorded rule again, and lists its breaches. */
export const breaches: FileOperation = {
  id: "explorerBreaches",
  path: "/explorer/breaches",
  summary: "List the breaches of a rule",
  description: `Checks a rule, which \`rolebook check --record\` or an import or change with \`--rules\` recorded, and lists its first ${MOST_BREACHES.toLocaleString("en")} breaches as \`rolebook check\` does. For callers who see everything.`,
  parameters: ["rule"],
  ask(query) {
    only(query, ["rule", "revision"]);
    const words = query.get("rule") ?? "";
    return async (asking) => {
      mustSeeAll(asking, "see the breaches of a rule");
      const results = (await asking.ruleResults())?.results ?? [];
      const definition = results.find(({ rule }) => rule === words)?.definition;
      if (definition === undefined) {
        throw new ApiError("notFound", `No rule ${JSON.stringify(words)} is recorded with its definition.`);
      }
      // Loaded here because it needs the YAML parser, and most servers are never asked.
      const { ruleOf } = await import("../../review/read-rules.ts");
      const rule = ruleOf(definition);
      const day = asking.past ? asking.reading.at.importedAt : new Date().toISOString();
      return {
        columns: BREACH_COLUMNS,
        head: headNamed("Rolebook check"),
        async *rows(reading) {
          const model = await modelOf(reading);
          const { resolved, unresolved } = await resolveRules(reading, model, [rule], day.slice(0, 10));
          for (const { problem } of unresolved) {
            throw new ApiError("notFound", `The rule cannot be checked: ${problem}`);
          }
          for (const verdict of await workInTurns(evaluate(model, resolved, MOST_BREACHES))) {
            for (let from = 0; from < verdict.listed.length; from += STEP) {
              const listed = verdict.listed.slice(from, from + STEP);
              yield (await workInTurns(breachLines(model, { ...verdict, listed }))).map(breachCells);
            }
          }
        },
      };
    };
  },
};

export const findings: FileOperation = {
  id: "explorerTidy",
  path: "/explorer/tidy",
  summary: "List what can be tidied up",
  description:
    "The findings of `rolebook tidy`, with the columns of its CSV. Each is sent as soon as it is found; close the connection to stop. For callers who see everything.",
  parameters: [],
  ask(query) {
    only(query, ["revision"]);
    return async (asking) => {
      mustSeeAll(asking, "look for findings");
      return {
        columns: FINDING_COLUMNS,
        head: headNamed("Rolebook tidy"),
        async *rows(reading) {
          for await (const some of tidy(reading)) yield some.map(findingCells);
        },
      };
    };
  },
};

function headNamed(name: string): TableFile["head"] {
  return async ({ at }) => [
    [name],
    ["organization", at.organization, oneLine(at.title)],
    ["revision", String(at.revision)],
    ["imported", at.importedAt],
  ];
}
