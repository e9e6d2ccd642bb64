import type { Accepted } from "./concerns.ts";
import { type Pulled, snapshotOf } from "./pull.ts";
import type { VerifiedPull } from "./verify.ts";

/** What a pull has read, when, and what it has left out. */
export interface Manifest {
  readonly organization: string;
  readonly api: string;
  /** Every record was true at some time in this window. */
  readonly window: { readonly from: string; readonly to: string };
  readonly requests: number;
  readonly readings: number;
  readonly settled: boolean;
  readonly records: Readonly<Record<string, number>>;
  /** The ids of disabled members, who are left out. */
  readonly disabled: readonly string[];
  readonly gone: readonly string[];
  readonly accepted: readonly Accepted[];
  readonly verified?: VerifiedPull;
}

export function manifestOf(
  pulled: Pulled,
  { api, requests, verified }: { api: string; requests: number; verified: VerifiedPull | undefined },
): Manifest {
  const records: Record<string, number> = {};
  for (const { object } of snapshotOf(pulled)) records[object] = (records[object] ?? 0) + 1;
  const { inventory, window, readings, settled, gone, concerns } = pulled;
  return {
    organization: inventory.organization.id,
    api,
    window: { from: window.from.toISOString(), to: window.to.toISOString() },
    requests,
    readings,
    settled,
    records,
    disabled: [...inventory.members.values()].filter(({ disabled }) => disabled).map(({ user }) => user.id),
    gone,
    accepted: concerns.accepted,
    ...(verified === undefined ? {} : { verified }),
  };
}
