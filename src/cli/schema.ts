import { snapshotSchema } from "../snapshot/json-schema.ts";
import { print } from "./context.ts";

/** `rolebook schema`: the JSON Schema of a line of the snapshot file. */
export async function schemaCommand(): Promise<void> {
  await print(JSON.stringify(snapshotSchema(), null, 2));
}
