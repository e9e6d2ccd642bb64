import { rulesSchema } from "../review/rules/schema.ts";
import { snapshotSchema } from "../snapshot/json-schema.ts";
import { print } from "./context.ts";

/** `rolebook schema`: the JSON Schema of a line of the snapshot file; with `--rules`, of the rules file. */
export async function schemaCommand({ rules }: { readonly rules?: boolean }): Promise<void> {
  await print(JSON.stringify(rules === true ? rulesSchema() : snapshotSchema(), null, 2));
}
