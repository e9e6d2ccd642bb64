import { changesSchema, snapshotSchema } from "../snapshot/json-schema.ts";
import { print } from "./context.ts";

/** `rolebook schema`: the JSON Schema of a line of the snapshot file, or of the change file. */
export async function schemaCommand({ changes = false }: { readonly changes?: boolean }): Promise<void> {
  await print(JSON.stringify(changes ? changesSchema() : snapshotSchema(), null, 2));
}
