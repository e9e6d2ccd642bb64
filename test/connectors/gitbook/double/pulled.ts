import { GitBookClient, type ClientOptions } from "../../../../src/connectors/gitbook/client.ts";
import { type Pulled, pull, snapshotOf } from "../../../../src/connectors/gitbook/pull.ts";
import type { SnapshotRecord } from "../../../../src/snapshot/records.ts";
import { Double, type DoubleOptions, TOKEN } from "./double.ts";
import type { State } from "./state.ts";

/** Options with short delays, so that tests of retries are fast. */
export const QUICK: ClientOptions = { backOff: 1 };

export function clientOf(double: Double, options: ClientOptions = {}): GitBookClient {
  return new GitBookClient({ url: double.url, token: TOKEN }, { ...QUICK, ...options });
}

/** Opens a double, uses it, and always closes it. */
export async function withDouble<T>(
  state: State,
  options: DoubleOptions,
  use: (double: Double) => Promise<T>,
): Promise<T> {
  const double = await Double.open(state, options);
  try {
    return await use(double);
  } finally {
    await double.close();
  }
}

/** Pulls the organization from a new double. */
export async function pullFrom(
  state: State,
  options: DoubleOptions = {},
  client: ClientOptions & { accept?: readonly string[] } = {},
): Promise<Pulled> {
  return withDouble(state, options, (double) =>
    pull(clientOf(double, client), state.organization, { accept: new Set(client.accept) }),
  );
}

/** The records that {@link pullFrom} pulls. */
export async function pulled(...args: Parameters<typeof pullFrom>): Promise<SnapshotRecord[]> {
  return [...snapshotOf(await pullFrom(...args))];
}
