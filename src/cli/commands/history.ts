import { setTimeout as sleep } from "node:timers/promises";
import { CommandError } from "../../domain/error.ts";
import {
  ALL,
  changeHistory,
  type Expiring,
  expiring,
  historyOf,
  SHORTEST,
} from "../../store/revisions/history.ts";
import type { Store } from "../../store/store.ts";
import { GRACE, sweep } from "../../store/rows/prune.ts";
import { withExistingStore } from "../database.ts";
import { formatOf, printRows, sheetOf } from "../output.ts";
import type { CommandOptions } from "../command-table.ts";
import { notAccepted, parseDuration, UNITS } from "../options.ts";
import { print, say, sayWaiting, table } from "../terminal.ts";

const SHEET = sheetOf({ history: historyText });

const FOREVER = "forever";
const HISTORY_UNITS = ["d", "h", "m"] as const;

/** `rolebook history`: prints how long replaced revisions are kept; with a duration, sets it. */
export async function historyCommand(
  duration: string | undefined,
  options: CommandOptions<"history">,
): Promise<void> {
  const wanted = duration === undefined ? undefined : readHistory(duration);
  const format = formatOf(options.format);
  await withExistingStore(options.database, async ({ store }) => {
    const { engine } = store;
    const kept = await historyOf(engine);
    if (wanted === undefined) {
      return format === "table" ? print(historyText(kept)) : printRows(format, SHEET, [kept]);
    }
    const gone = wanted < kept ? await expiring(engine, wanted) : [];
    if (gone.length > 0) say(`Revisions that would be deleted:\n${goneText(gone)}`);
    if (wanted < kept && options.yes !== true) {
      throw new CommandError(
        `The history is ${historyText(kept)}; ${historyText(wanted)} is shorter, and deleted revisions cannot be restored. Nothing was changed; confirm with --yes.`,
      );
    }
    await engine.importing((staging) => changeHistory(engine, staging, wanted), sayWaiting);
    say(`Revisions in ${engine.name} are kept for ${historyText(wanted)} after they are replaced.`);
    if (gone.length > 0) await drop(store);
  });
}

/** Waits until nobody reads the expired revisions, then deletes their rows. */
async function drop({ engine }: Store): Promise<void> {
  say(
    "These revisions can no longer be read. Their rows are deleted in a minute or, if this is interrupted, with the next import.",
  );
  await sleep(GRACE + 1000);
  await engine.importing((staging) => sweep(staging), sayWaiting);
}

function goneText(gone: readonly Expiring[]): string {
  return table(
    ["organization", "revisions", "from", "to"],
    gone.map(({ organization, revisions, from, to }) => [organization, revisions, from, to]),
  );
}

/** Milliseconds, from a text such as `400d`. Throws a UsageError if it is malformed or shorter than ten minutes. */
function readHistory(value: string): number {
  if (value === FOREVER) return ALL;
  const milliseconds = parseDuration(value, HISTORY_UNITS);
  if (milliseconds !== undefined && milliseconds >= SHORTEST) return milliseconds;
  const accepted = "days, hours or minutes, such as 400d, 12h or 10m, at least 10m, or forever";
  throw notAccepted("DURATION", value, accepted);
}

/** The inverse of {@link readHistory}, in the largest unit that divides the duration. */
function historyText(milliseconds: number): string {
  if (milliseconds === ALL) return FOREVER;
  const unit = HISTORY_UNITS.find((each) => milliseconds % UNITS[each] === 0);
  return unit === undefined ? `${milliseconds} ms` : `${milliseconds / UNITS[unit]}${unit}`;
}
