/** Imports a whole file that changes little as a change. */
import { confirm } from "../../store/revisions/publication.ts";
import type { Engine, Staging } from "../../store/engine/engine.ts";
import type { ChangeSource } from "../../store/writing/change/record-change.ts";
import { countsAfter } from "../../store/writing/change/counts.ts";
import { sizeOf } from "../../store/writing/generation/difference/change-set.ts";
import { isChange } from "../../store/writing/generation/difference/difference.ts";
import { tokensOfLeavers } from "../../store/writing/generation/difference/ending-tokens.ts";
import { Proposals, rehearsing } from "../../store/writing/generation/proposal.ts";
import { examineUnchanged, publishChange, usualLimit } from "../../store/writing/generation/publish.ts";
import { alikeToAdded } from "../../store/writing/lines/alike-added.ts";
import { describe } from "../../store/writing/resolve/guard/described.ts";
import { refusalFor } from "../../store/writing/resolve/guard/guard.ts";
import { changesIn } from "../../store/writing/resolve/record-counts.ts";
import { loggedOf, renaming } from "../../store/writing/resolve/logged.ts";
import type { WholeFile } from "./by-lines.ts";
import { type ImportOptions, type ImportResult, mustNotBeNewer } from "./options.ts";

/** `undefined`, with nothing changed, if the guard refuses or too much changes. */
export async function importFew(
  engine: Engine,
  staging: Staging,
  { now, outcome }: WholeFile,
  options: ImportOptions,
  source: ChangeSource,
): Promise<ImportResult | undefined> {
  const { organization, revision, title, counts } = now.revision;
  const { records } = outcome;
  const change = {
    organization,
    title: outcome.title,
    current: revision,
    counts: countsAfter(counts, records),
    kinds: changesIn(outcome.counts),
  };
  mustNotBeNewer([change], options.base);
  const { changeLimit = usualLimit, examination, dryRun = false } = options;
  if (sizeOf(change) > changeLimit(change)) return undefined;
  const logged = [...renaming(title, outcome.title), ...records.flatMap(loggedOf)];
  if (options.allowRemovals !== true) {
    if ((await refusalFor(now, now, outcome.title, logged)) !== undefined) return undefined;
  }
  const changed = isChange(change);
  if (changed) options.details?.(await describe(now, organization, logged));
  const result = {
    organizations: [change],
    ignoredUsers: 0,
    endingTokens: await tokensOfLeavers(staging, organization, records),
    alike: await alikeToAdded(staging, now, organization, records),
    changed,
  };
  if (!changed) await confirmUnchanged(engine, staging, now, options, source);
  else if (!dryRun || examination !== undefined) {
    const set = { organization, base: revision, title: outcome.title, records, source };
    const publishing = () => publishChange(engine, staging, now.revision, set, examination);
    await rehearsing(publishing);
  }
  return result;
}

/** The import changes nothing. Stores when it confirmed the current revision. */
async function confirmUnchanged(
  engine: Engine,
  staging: Staging,
  { revision: { organization, revision } }: WholeFile["now"],
  { dryRun, examination }: ImportOptions,
  source: ChangeSource,
): Promise<void> {
  if (examination !== undefined) {
    await examineUnchanged(new Proposals(engine, staging), organization, examination.examine);
  }
  if (dryRun === true) return;
  const at = new Date().toISOString();
  await staging.transaction(async (connection) => {
    await confirm(connection, organization, source, at);
    await examination?.record(connection, organization, revision);
  });
}
