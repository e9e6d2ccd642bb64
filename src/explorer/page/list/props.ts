import type { Subject } from "../../wire/things.ts";
import { listOf, type Address } from "../session/address/address.ts";

/** The props of every list. */
export interface ListProps {
  readonly address: Address;
  /** The subject of the list, once it is known. */
  readonly subject?: Subject | undefined;
}

/** The parameters of the list that an address names. */
export function listQuery(address: Address): Record<string, string> {
  return listOf(address) ?? {};
}
