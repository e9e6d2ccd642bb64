import type { Accepted } from "./concerns.ts";
import type { Pulled } from "./pull.ts";
import { snapshotOf } from "./records.ts";
import type { Verified } from "./verify/verify.ts";

/** What a pull read, when, and what it left out. */
export interface Manifest {
  readonly organization: string;
  readonly api: string;
  /** Every record was true at some moment between the two. */
  readonly window: { readonly from: string; readonly to: string };
  readonly requests: number;
  readonly readings: number;
  readonly settled: boolean;
  /** Records by kind. */
  readonly records: Readonly<Record<string, number>>;
  /** Ids of disabled members, who are left out. */
  readonly disabled: readonly string[];
  /** What existed during the pull but not at its end. */
  readonly gone: readonly string[];
  readonly accepted: readonly Accepted[];
  readonly verified?: Verified;
}

/** The manifest of a pull. */
export function manifestOf(
  pulled: Pulled,
  { api, requests, verified }: { api: string; requests: number; verified: Verified | undefined },
): Manifest {
  const records: Record<string, number> = {};
  for (const { object } of snapshotOf(pulled)) records[object] = (records[object] ?? 0) + 1;
  const { spine, window, readings, settled, gone, concerns } = pulled;
  return {
    organization: spine.organization.id,
    api,
    window: { from: window.from.toISOString(), to: window.to.toISOString() },
    requests,
    readings,
    settled,
    records,
    disabled: [...spine.members.values()].filter(({ disabled }) => disabled).map(({ user }) => user.id),
    gone,
    accepted: concerns.accepted,
    ...(verified === undefined ? {} : { verified }),
  };
}
