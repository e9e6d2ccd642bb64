import { CommandError, RefusedError } from "../../domain/error.ts";
import type { AlikeIds } from "../../store/writing/generation/alike.ts";
import type { OrganizationChange } from "../../store/writing/generation/difference/difference.ts";
import type { Difference } from "../../store/writing/generation/difference/differing.ts";
import type { Examination } from "../../store/writing/generation/proposal.ts";
import type { ChangeLimit } from "../../store/writing/generation/publish.ts";
import type { Token } from "../../store/revisions/organizations/registry.ts";

export interface ImportOptions {
  /** Checks the files and counts their changes, but writes nothing. */
  readonly dryRun?: boolean;
  /** Requires an end record in every file, which shows that the file is not cut off. */
  readonly complete?: boolean;
  /** Turns off the guard against large removals, promotions and openings (contract, section 8). */
  readonly allowRemovals?: boolean;
  /** Accepts a new organization without members. */
  readonly allowEmpty?: boolean;
  /** `rolebook revisions` shows this note. */
  readonly note?: string;
  /**
   * The revision from which the files were made. The import is refused if there is a later one, whose changes it would
   * undo.
   */
  readonly base?: number | undefined;
  /** How long to wait for another import or change, in milliseconds. */
  readonly patience?: number | undefined;
  /** Up to how many changed records an import is written as a change. Only tests set it. */
  readonly changeLimit?: ChangeLimit;
  /** Receives each changed record before anything is published, even if the import is refused. */
  readonly details?: (differences: readonly Difference[]) => void;
  /** Examines the organizations as they would be. In a dry run, that state is written and then rolled back. */
  readonly examination?: Examination | undefined;
  readonly progress?: (step: ImportStep) => void;
}

export type ImportStep =
  | { readonly phase: "waiting" | "checking" | "comparing" | "publishing" }
  | { readonly phase: "reading"; readonly bytes: number }
  | { readonly phase: "writing"; readonly rows: number };

export interface ImportResult {
  readonly organizations: readonly OrganizationChange[];
  /** How many users in the files are members of no organization. */
  readonly ignoredUsers: number;
  /** The tokens of members who leave. They are deleted. */
  readonly endingTokens: readonly Token[];
  /** The first ids that differ only in case. */
  readonly alike: readonly AlikeIds[];
  /** Whether there is a new revision; in a dry run, whether there would be one. */
  readonly changed: boolean;
}

/** The guard refused an import. The message says what the import would have changed. */
export class RefusedImport extends RefusedError {
  readonly result: ImportResult;

  constructor(message: string, result: ImportResult) {
    super(message);
    this.result = result;
  }
}

/** Throws a CommandError if an organization has a later revision than `base`. */
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
