/** What an import may be asked for, and what comes of it. */
import { CommandError, RefusedError } from "../domain/error.ts";
import type { AlikeIds } from "../store/writing/generation/alike.ts";
import type { OrganizationChange } from "../store/writing/generation/difference/difference.ts";
import type { Difference } from "../store/writing/generation/difference/differing.ts";
import type { Examination } from "../store/writing/generation/proposal.ts";
import type { ChangeLimit } from "../store/writing/generation/publish.ts";
import type { Token } from "../store/revisions/registry.ts";

export interface ImportOptions {
  /** Checks and compares, without changing anything. */
  readonly dryRun?: boolean;
  /** Requires an end record in every file, which proves that the file is complete. */
  readonly complete?: boolean;
  /** Overrides the guard against large removals, promotions and openings (contract, section 8). */
  readonly allowRemovals?: boolean;
  /** Allows a new organization without members. */
  readonly allowEmpty?: boolean;
  /** The note that `rolebook revisions` shows. */
  readonly note?: string;
  /** The revision on which the files are based: refuses to overwrite later changes. */
  readonly base?: number | undefined;
  /** How long to wait for another writer, in milliseconds. */
  readonly patience?: number | undefined;
  /**
   * The number of changed records up to which the stored generation is changed instead of writing a new one, for
   * tests.
   */
  readonly changeLimit?: ChangeLimit;
  /** Receives each record that differs before anything is published, even if the import is refused. */
  readonly details?: (differences: readonly Difference[]) => void;
  /** Examines the state that the organizations would have. In a dry run it is a rehearsal. */
  readonly examination?: Examination | undefined;
  /** Receives the progress. */
  readonly progress?: (step: ImportStep) => void;
}

export type ImportStep =
  | { readonly phase: "waiting" | "checking" | "comparing" | "publishing" }
  | { readonly phase: "reading"; readonly bytes: number }
  | { readonly phase: "writing"; readonly rows: number };

export interface ImportResult {
  readonly organizations: readonly OrganizationChange[];
  /** Users who are not a member of any organization. */
  readonly ignoredUsers: number;
  /** The tokens that end because their members leave. */
  readonly endingTokens: readonly Token[];
  /** The first ids that differ only in case. */
  readonly alike: readonly AlikeIds[];
  /** Whether there is a new revision, or would be. */
  readonly changed: boolean;
}

/** An import that the guard refused; the message names what would have happened. */
export class RefusedImport extends RefusedError {
  readonly result: ImportResult;

  constructor(message: string, result: ImportResult) {
    super(message);
    this.result = result;
  }
}

/** Throws if an organization was changed since the revision that the files are of. */
export function mustNotBeNewer(
  organizations: readonly OrganizationChange[],
  base = Number.POSITIVE_INFINITY,
): void {
  for (const { organization, current = 0 } of organizations) {
    if (current <= base) continue;
    throw new CommandError(
      `Organization ${organization} is at revision ${current}, the files are of revision ${base}: what was changed since would be lost. Nothing was changed.`,
    );
  }
}
