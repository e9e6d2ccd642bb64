import { statement } from "../../../../src/store/engine/engine.ts";
import type { Revision } from "../../../../src/store/reading.ts";
import { holds } from "../../../../src/store/schema/as-of.ts";
import { MEMBERS } from "../../../../src/store/schema/set-names.ts";
import type { World } from "../../../world.ts";

const CHUNKS = statement<[count: number]>(
  () => `SELECT count(*) FROM chunk c WHERE ${holds("c")} AND c.universe = ${MEMBERS}`,
);

/** How many chunks of members a revision has. */
export async function openChunks({ store }: World, { generation, revision }: Revision): Promise<number> {
  const [row] = await store.engine.read(CHUNKS, generation, revision);
  return row?.[0] ?? 0;
}
