/** What is generated, each made from the code that it describes. */
import { performance } from "../../bench/report/page.ts";
import type { Asker } from "../../src/operations/operation.ts";
import { OPERATIONS } from "../../src/operations/operations.ts";
import { parameterName } from "../../src/operations/parameters.ts";
import { THINGS } from "../../src/operations/things.ts";
import { rulesSchema } from "../../src/review/rules-schema.ts";
import { changesSchema, snapshotSchema } from "../../src/snapshot/json-schema.ts";
import { textOf } from "../examples/acme.ts";
import { gitbookOpenapi } from "../parts/clients.ts";
import { methodsIn } from "./client-methods.ts";
import { exampleAnswers } from "../http/openapi/example-answers.ts";

/** The expected text of every file that is generated or has a generated table, by its path. */
export async function generated(): Promise<Readonly<Record<string, string>>> {
  return {
    "docs/api.md": [endpoints(), things(), methods()].reduce(withTable, textOf("docs/api.md")),
    "docs/snapshot.schema.json": json(snapshotSchema()),
    "docs/changes.schema.json": json(changesSchema()),
    "docs/rules.schema.json": json(rulesSchema()),
    ...performance(),
    "src/http/openapi/examples.json": json(await exampleAnswers()),
  };
}

/** Replaces the table of a page that has the same column names as `table`. Throws if the page has no such table. */
function withTable(page: string, table: string): string {
  const head = `${table.split("\n", 1)[0]}\n`;
  const start = page.indexOf(`\n${head}`) + 1;
  const [old = ""] = /^(?:\|.*\n)+/.exec(page.slice(start)) ?? [];
  if (!old.startsWith(head)) throw new Error(`No table begins with ${head}`);
  return `${page.slice(0, start)}${table}\n${page.slice(start + old.length)}`;
}

function endpoints(): string {
  return tableOf(
    ["#", "Path", "Parameters", "An entry is", "Order"],
    OPERATIONS.map(({ path, filters, entry, sortedBy }, index) => [
      String(index + 1),
      `\`${path}\``,
      filters.map((name) => `\`${parameterName(name)}\``).join(", "),
      `\`${entry}\``,
      sortedBy,
    ]),
  );
}

/** Who may ask for a single thing with a member token that is not an organization admin's. */
const ASKERS: Readonly<Record<Asker, string>> = {
  lister: "who may list the content's users",
  holder: "with an effective role there; else 404",
  self: "about itself; else 403",
  everyone: "yes",
  nobody: "no: 403",
};

function things(): string {
  return tableOf(
    ["Path", "The answer is", "Another member token may ask"],
    THINGS.map(({ path, answer, asker }) => [`\`${path}\``, `\`${answer}\``, ASKERS[asker]]),
  );
}

function methods(): string {
  const described = methodsIn(gitbookOpenapi("newest"));
  return tableOf(
    ["Method", "Its type", "Required fields that are never sent"],
    [...described.values()].map(({ id, type, missing }) => [
      `\`${id}\``,
      type === "" ? "" : `\`${type}\``,
      missing.flatMap(({ path, isRequired }) => (isRequired ? [`\`${path}\``] : [])).join(", "),
    ]),
  );
}

function tableOf(head: readonly string[], rows: readonly (readonly string[])[]): string {
  return [head, ...rows]
    .map((cells) => `|${cells.map((cell) => (cell === "" ? " " : ` ${cell} `)).join("|")}|`)
    .toSpliced(1, 0, `|${"---|".repeat(head.length)}`)
    .join("\n");
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}
