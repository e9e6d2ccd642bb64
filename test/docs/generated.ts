/** The generated parts of documents, each made from the code that it describes. */
import { performance } from "../../bench/report/page.ts";
import { settingsTable } from "../../src/cli/settings.ts";
import { nameOf, optionsOf } from "../../src/cli/commands/list.ts";
import { parametersOf } from "../../src/operations/operation.ts";
import { OPERATIONS } from "../../src/operations/operations.ts";
import { rulesSchema } from "../../src/review/rules-schema.ts";
import { changesSchema, snapshotSchema } from "../../src/snapshot/json-schema.ts";
import { acme, textOf } from "../examples/acme.ts";
import { exampleAnswers } from "../openapi/example-answers.ts";
import { sqlitePlace, World } from "../world.ts";

/** The expected text of every file that is generated or has a generated table, by its path. */
export async function generated(): Promise<Readonly<Record<string, string>>> {
  return {
    "docs/api.md": withTables(textOf("docs/api.md"), endpoints()),
    "docs/reports.md": withTables(textOf("docs/reports.md"), lists()),
    "docs/operations.md": withTables(textOf("docs/operations.md"), settingsTable(), await metrics()),
    "docs/snapshot.schema.json": json(snapshotSchema()),
    "docs/changes.schema.json": json(changesSchema()),
    "docs/rules.schema.json": json(rulesSchema()),
    ...performance(),
    "src/http/openapi/examples.json": json(await exampleAnswers()),
  };
}

/**
 * Replaces each table of a page that has the same column names as one of `tables`. Throws if the page has no such
 * table.
 */
function withTables(page: string, ...tables: readonly string[]): string {
  return tables.reduce((text, table) => {
    const head = `${table.split("\n", 1)[0]}\n`;
    const start = text.startsWith(head) ? 0 : text.indexOf(`\n${head}`) + 1;
    const [old = ""] = /^(?:\|.*\n)+/.exec(text.slice(start)) ?? [];
    if (!old.startsWith(head)) throw new Error(`No table begins with ${head}`);
    return `${text.slice(0, start)}${table}\n${text.slice(start + old.length)}`;
  }, page);
}

function endpoints(): string {
  return tableOf(
    ["#", "Path", "Parameters", "An entry is", "Order"],
    OPERATIONS.map(({ path, filters, entry, sortedBy }, index) => [
      String(index + 1),
      `\`${path}\``,
      filters.map((name) => `\`${name}\``).join(", "),
      `\`${entry}\``,
      sortedBy,
    ]),
  );
}

function lists(): string {
  return tableOf(
    ["Command", "Lists"],
    OPERATIONS.map((operation) => {
      const ids = parametersOf(operation.path).map((name) => name.replace(/Id$/, ""));
      const words = [
        nameOf(operation),
        ...ids.filter((name) => name !== "organization").map((name) => name.toUpperCase()),
        ...(ids.includes("organization") ? ["--organization ID"] : []),
        ...optionsOf(operation).map((name) => `[--${name} ${name.toUpperCase()}]`),
      ];
      return [`\`${words.join(" ")}\``, operation.summary.replace(/^List /, "")];
    }),
  );
}

/** Every metric of a server, with its help text. */
async function metrics(): Promise<string> {
  const world = await World.open(sqlitePlace);
  try {
    await world.import(acme);
    const { body } = await world.get("/metrics");
    const help = [...body.matchAll(/^# HELP (\S+) (.*)\n# TYPE \S+ (\w+)$/gm)];
    return tableOf(
      ["Metric", "Type", "Meaning"],
      help.map(([, name = "", meaning = "", type = ""]) => [`\`${name}\``, type, meaning]),
    );
  } finally {
    await world.close();
  }
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
