import { rulesSchema } from "../../review/rules-schema.ts";
import { changesSchema, snapshotSchema } from "../../snapshot/json-schema.ts";
import type { CommandOptions } from "../command-table.ts";
import { bothGiven } from "../options.ts";
import { print } from "../terminal.ts";

/** `rolebook schema`: the JSON Schema of a line of a snapshot file or change file, or of a rules file. */
export async function schemaCommand({
  changes = false,
  rules = false,
}: CommandOptions<"schema">): Promise<void> {
  if (changes && rules) throw bothGiven("--changes", "--rules");
  const schema = rules ? rulesSchema() : changes ? changesSchema() : snapshotSchema();
  await print(JSON.stringify(schema, null, 2));
}
