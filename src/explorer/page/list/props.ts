import type { Subject } from "../../wire/things.ts";
import { listOf, type Address } from "../session/address/address.ts";

/** What every list of the page is given. */
export interface ListProps {
  readonly address: Address;
  /** What the list is of, once that is known. */
  readonly subject?: Subject | undefined;
}

/** The parameters of the list that an address names. */
export function listQuery(address: Address): Record<string, string> {
  return listOf(address) ?? {};
}
