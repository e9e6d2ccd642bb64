/** Opens the comparison of two revisions of an organization, which `model/comparison.ts` and its neighbours make. */
import { ACCESS_KINDS, AccessChanges, type ChangedRecord } from "../../../domain/changed-record.ts";
import type { DifferenceFilter } from "../../../domain/difference-filter.ts";
import { compared, type Comparison, inTime } from "../../../model/comparison.ts";
import { modelOf } from "../../models.ts";
import { workInTurns } from "../../turns.ts";
import { changedRecords, isUndone, type TwoReadings } from "./log.ts";

/** `before` may be the later revision. `records` are all changed records that concern access, unless they are given. */
export async function compare(
  readings: TwoReadings,
  filter: DifferenceFilter = {},
  given?: readonly ChangedRecord[],
): Promise<Comparison> {
  const [earlier, later] = inTime({ isUndone: isUndone(readings) }, readings.before, readings.after);
  const records = given ?? (await changedRecords(later, earlier.at, later.at, ACCESS_KINDS));
  const [before, after] = [await modelOf(readings.before), await modelOf(readings.after)];
  const changes = new AccessChanges(records);
  return workInTurns(compared(before, after, { changes, isUndone: isUndone(readings), filter }));
}
