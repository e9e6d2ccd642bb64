/** Builds the sets of new generations from the staged records. */
import type { Staging } from "../../../engine/engine.ts";
import { stageMemberSets } from "./member-sets.ts";
import { SetRows } from "./set-rows.ts";
import { stageSpaceSets } from "./space-sets.ts";

/** Stages the containers and heads of all sets of the changed organizations. */
export async function stageSets(staging: Staging): Promise<void> {
  const rows = await SetRows.begin(staging);
  await stageMemberSets(staging, rows);
  await stageSpaceSets(staging, rows);
  await rows.flush();
}
