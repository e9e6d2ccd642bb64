/** The options and the result of an import. */
import { CommandError, RefusedError } from "../../domain/error.ts";
import type { AlikeIds } from "../../store/writing/generation/alike.ts";
import type { OrganizationChange } from "../../store/writing/generation/difference/difference.ts";
import type { Difference } from "../../store/writing/generation/difference/differing.ts";
import type { Examination } from "../../store/writing/generation/proposal.ts";
import type { ChangeLimit } from "../../store/writing/generation/publish.ts";
import type { Token } from "../../store/revisions/organizations/registry.ts";

export interface ImportOptions {
  /** Checks and compares, without changing anything. */
  readonly dryRun?: boolean;
  /** Requires an end record in every file, to detect truncated files. */
  readonly complete?: boolean;
  /** Overrides the guard against large removals, promotions and openings (contract, section 8). */
  readonly allowRemovals?: boolean;
  /** Allows a new organization without members. */
  readonly allowEmpty?: boolean;
  /** The note that `rolebook revisions` shows. */
  readonly note?: string;
  /** The revision on which the files are based. Later changes are not overwritten: the import is refused. */
  readonly base?: number | undefined;
  /** How long to wait for another writer, in milliseconds. */
  readonly patience?: number | undefined;
  /** The number of changed records up to which an import is written as a change (tests). */
  readonly changeLimit?: ChangeLimit;
  /** Receives each differing record before anything is published, even if the import is refused. */
  readonly details?: (differences: readonly Difference[]) => void;
  /** Examines the next state of the organizations. In a dry run, that state is then discarded. */
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
  /** The number of users who are not members of any organization. */
  readonly ignoredUsers: number;
  /** Tokens that are deleted because their members leave. */
  readonly endingTokens: readonly Token[];
  /** The first ids that differ only in case. */
  readonly alike: readonly AlikeIds[];
  /** Whether there is a new revision, or would be without the dry run. */
  readonly changed: boolean;
}

/** An import that the guard refused. The message names what the import would have changed. */
export class RefusedImport extends RefusedError {
  readonly result: ImportResult;

  constructor(message: string, result: ImportResult) {
    super(message);
    this.result = result;
  }
}

/** Throws a CommandError if an organization has changed since the revision on which the files are based. */
export function mustNotBeNewer(
  organizations: readonly OrganizationChange[],
  base = Number.POSITIVE_INFINITY,
): void {
  for (const { organization, current = 0 } of organizations) {
    if (current <= base) continue;
    throw new CommandError(
      `Organization ${organization} is at revision ${current}, the files are of revision ${base}: later changes would be lost. Nothing was changed.`,
    );
  }
}
