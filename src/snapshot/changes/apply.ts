/**
 * Applies a change file (docs/changes.md): finds what it changes, lets the guard judge it, and writes it as one
 * revision.
 */
import { CommandError, RefusedError } from "../../domain/error.ts";
import type { Engine, Staging } from "../../store/engine/engine.ts";
import type { ModelSource, Reading } from "../../store/reading.ts";
import { appliedAs, currentOf } from "../../store/revisions/publication.ts";
import type { Token } from "../../store/revisions/registry.ts";
import { sweepEnded } from "../../store/rows/prune.ts";
import { undoUnpublished } from "../../store/rows/undo.ts";
import { tokensOfLeavers } from "../../store/tokens.ts";
import type { Examination, RecordDifference } from "../../store/writing/organization-change.ts";
import { publishChange } from "../../store/writing/publish.ts";
import { type AlikeIds, alikeToAdded } from "../../store/writing/alike.ts";
import type { Fault } from "../../store/writing/resolve/edits.ts";
import { refusalFor } from "../../store/writing/guard.ts";
import { describe } from "../../store/writing/resolve/preview.ts";
import type { RecentChanges } from "../../store/writing/resolve/recent.ts";
import { type CountsByKind, isChanged, noCounts, resolve } from "../../store/writing/resolve/resolve.ts";
import { Problems, show } from "../problem.ts";
import type { ReadChange } from "./read.ts";

export interface ApplyOptions {
  /** Checks the file and counts its changes, but writes nothing. */
  readonly dryRun?: boolean;
  /** Turns off the guard against large removals, promotions and openings (docs/snapshot.md). */
  readonly allowRemovals?: boolean;
  /** `rolebook revisions` shows this note. */
  readonly note?: string | undefined;
  /** Earlier changes that the guard counts together with this one. */
  readonly recent?: RecentChanges;
  /** Receives each changed record before anything is written, even if the change is refused. */
  readonly details?: (differences: readonly RecordDifference[]) => void;
  /** Examines the organization as it would be. */
  readonly examination?: Examination | undefined;
  /** Keeps the model of the organization from one change to the next. */
  readonly models?: ModelSource | undefined;
  /** Called once, if another import or change must end first. */
  readonly waiting?: () => void;
  /** How long to wait for another import or change, in milliseconds. */
  readonly patience?: number | undefined;
}

export interface ApplyResult {
  readonly organization: string;
  readonly title: string;
  /** The revision that this file made, now or when it was first applied; `undefined` if it made none. */
  readonly revision: number | undefined;
  readonly kinds: CountsByKind;
  /** The tokens of members who leave. They are deleted. */
  readonly endingTokens: readonly Token[];
  /** Ids that the file adds and that differ from others only in case. */
  readonly alike: readonly AlikeIds[];
  /** Whether there is a new revision; in a dry run, whether there would be one. */
  readonly changed: boolean;
  /** Whether this file was applied before, by its id. */
  readonly repeated: boolean;
}

/** The guard refused a change. The message says what the change would have done. */
export class RefusedChange extends RefusedError {
  readonly result: ApplyResult;

  constructor(message: string, result: ApplyResult) {
    super(message);
    this.result = result;
  }
}

/**
 * Applies a change file as one revision; none if it changes nothing. Throws a CommandError for an invalid record, and a
 * RefusedChange if the guard refuses. Then nothing is changed.
 */
export function applyChange(
  engine: Engine,
  change: ReadChange,
  options: ApplyOptions = {},
): Promise<ApplyResult> {
  return engine.importing(
    (staging) => apply(engine, staging, change, options),
    () => options.waiting?.(),
    options.patience,
  );
}

async function apply(
  engine: Engine,
  staging: Staging,
  change: ReadChange,
  options: ApplyOptions,
): Promise<ApplyResult> {
  const { header, edits } = change;
  const { organization } = header;
  await undoUnpublished(staging);
  const now = await currentOf(staging, organization);
  if (now === undefined) {
    throw wrong(change, [
      {
        line: 1,
        field: "changes.organization",
        value: organization,
        accepted: "an organization that was imported",
      },
    ]);
  }
  now.models = options.models;
  const { title } = now.at;
  const before = header.id === undefined ? undefined : await appliedAs(staging, organization, header.id);
  if (before !== undefined) {
    const nothing = { kinds: noCounts(), endingTokens: [], alike: [], changed: false, repeated: true };
    return { organization, title, revision: before, ...nothing };
  }
  mustBeAt(change, now);
  const resolution = await resolve(now, edits);
  if (resolution.faults !== undefined) throw wrong(change, resolution.faults);
  const { records, counts: kinds } = resolution;
  const changed = isChanged(kinds);
  const endingTokens = await tokensOfLeavers(staging, organization, records);
  const result: ApplyResult = {
    organization,
    title: resolution.title,
    revision: undefined,
    kinds,
    endingTokens,
    alike: await alikeToAdded(now, records),
    changed,
    repeated: false,
  };
  options.details?.(await describe(now, organization, records));
  if (options.allowRemovals !== true) {
    const { base, changes } = (await options.recent?.until(staging, now, records)) ?? {
      base: now,
      changes: records,
    };
    const refusal = await refusalFor(base, now, resolution.title, changes);
    if (refusal !== undefined) throw new RefusedChange(refusal, result);
  }
  const { examination } = options;
  if (options.dryRun === true && examination === undefined) return result;
  const source = { command: "apply", note: options.note, input: change.input, id: header.id } as const;
  const next = { title: resolution.title, records };
  const published = await publishChange(engine, staging, now, next, source, examination);
  // The next import deletes old generations, if any: the change is visible without that.
  if (published !== undefined) await sweepEnded(staging, organization);
  return { ...result, revision: published?.revision };
}

/** Throws a CommandError if the file has another base than the current revision. */
function mustBeAt(change: ReadChange, { at: { revision, organization } }: Reading): void {
  const { base } = change.header;
  if (base === undefined || base === revision) return;
  throw wrong(change, [
    {
      line: 1,
      field: "changes.base",
      value: String(base),
      accepted: `${revision}, the current revision of organization ${organization}`,
    },
  ]);
}

function wrong({ name }: ReadChange, faults: readonly Fault[]): CommandError {
  const problems = new Problems();
  for (const { line, field, value, note = "", accepted } of faults) {
    problems.add({ file: name, line, message: `${field} is ${show(value)}${note}; accepted: ${accepted}` });
  }
  return new CommandError(`${problems}\nNothing was changed.`);
}
